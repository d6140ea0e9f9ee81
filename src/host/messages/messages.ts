import type { Translate } from "../l10n.ts";
import { gitMessages } from "./git-messages.ts";
import { inputMessages } from "./input-messages.ts";
import { llmMessages } from "./llm-messages.ts";
import { MessageWords } from "./message-words.ts";
import { queueMessages } from "./queue-messages.ts";
import { statusMessages } from "./status-messages.ts";

/** Every message that another room may have for a person, as templates; see `MessageWords`. */
export const messageTemplates = (t: Translate): readonly string[] => [
  ...gitMessages(t),
  ...queueMessages(t),
  ...inputMessages(t),
  ...llmMessages(t),
  ...statusMessages(t),
];

/** As the rooms write them. */
const english = messageTemplates((message) => message);

/** By translation, which stays the same as long as a window lives. */
const known = new WeakMap<Translate, MessageWords | "english">();

/** A message of another room in the reader's language; `undefined` where that has no words for it. */
export function toldMessage(message: string, t: Translate): string | undefined {
  const words = known.get(t) ?? wordsOf(t);
  known.set(t, words);
  return words === "english" ? message : words.say(message);
}

function wordsOf(t: Translate): MessageWords | "english" {
  const told = messageTemplates(t);
  return told.every((text, at) => text === english[at]) ? "english" : new MessageWords(english, told);
}
