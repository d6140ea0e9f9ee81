import { agentError } from "../agent-error.ts";
import { fromUtf8 } from "../utf8.ts";

/** A window takes a little more, as other fields come with it. */
const MAX_MB = 60;

/** All that comes in. Rejects with `AgentError` (`too-large`, before more is read, and `not-text`). */
export async function textOf(input: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > MAX_MB * 1024 * 1024)
      throw agentError("too-large", `Standard input has more than ${MAX_MB} MB; split it.`);
    pieces.push(piece);
  }
  const text = fromUtf8(Buffer.concat(pieces));
  if (text === undefined) throw agentError("not-text", "Standard input is not UTF-8 text.");
  return text;
}
