/** Every setting, without its prefix `batchControl.`; times are in the unit that the manifest describes. */
export interface SettingValues {
  readonly "git.maxBatchSize": number;
  readonly "git.maxBatchAge": number;
  readonly "git.autoFlush": boolean;
  readonly "git.atomicPush": boolean;
  readonly "git.maxRefsPerPush": number;
  readonly "git.protectedBranches": readonly string[];
  readonly "git.verifyCommand": string;
  readonly "git.verifyPrepare": string;
  readonly "git.verifyTimeout": number;
  readonly "git.commitTimeout": number;
  readonly "git.pushTimeout": number;
  readonly "llm.maxBatchSize": number;
  readonly "llm.maxBatchAge": number;
  readonly "llm.autoFlush": boolean;
  readonly "llm.provider": string;
  readonly "llm.defaultModel": string;
  readonly "llm.anthropic.baseUrl": string;
  readonly "llm.openai.baseUrl": string;
  readonly "llm.pollInterval": number;
  readonly "llm.unknownOutcomeWait": number;
  readonly "llm.maxCostPerFlush": number;
  readonly "llm.maxCostPerDay": number;
  readonly "llm.prices": Readonly<Record<string, unknown>>;
  readonly "llm.packing": boolean;
  readonly "statusBar.show": boolean;
  readonly "history.keepDays": number;
  readonly "notifications.batchFinished": string;
  readonly "notifications.operationsFailed": boolean;
}

export type SettingName = keyof SettingValues;

export const settingDefaults: SettingValues = {
  "git.maxBatchSize": 10,
  "git.maxBatchAge": 5,
  "git.autoFlush": true,
  "git.atomicPush": false,
  "git.maxRefsPerPush": 0,
  "git.protectedBranches": [],
  "git.verifyCommand": "",
  "git.verifyPrepare": "",
  "git.verifyTimeout": 1800,
  "git.commitTimeout": 120,
  "git.pushTimeout": 300,
  "llm.maxBatchSize": 10,
  "llm.maxBatchAge": 2,
  "llm.autoFlush": true,
  "llm.provider": "anthropic",
  "llm.defaultModel": "claude-sonnet-5-5",
  "llm.anthropic.baseUrl": "",
  "llm.openai.baseUrl": "",
  "llm.pollInterval": 60,
  "llm.unknownOutcomeWait": 900,
  "llm.maxCostPerFlush": 0,
  "llm.maxCostPerDay": 0,
  "llm.prices": {},
  "llm.packing": false,
  "statusBar.show": true,
  "history.keepDays": 30,
  "notifications.batchFinished": "whenLong",
  "notifications.operationsFailed": true,
};

/** Numbers of which none and less make no sense. */
export const positiveSettings: readonly SettingName[] = [
  "git.verifyTimeout",
  "git.commitTimeout",
  "git.pushTimeout",
  "llm.pollInterval",
  "llm.unknownOutcomeWait",
  "history.keepDays",
];

/**
 * The value of a setting, or its default where the value is of another type or less than a setting takes: the settings
 * editor says so, but a file that was edited by hand may hold it all the same.
 */
export function settingOr<Name extends SettingName>(name: Name, value: unknown): SettingValues[Name] {
  const fallback: SettingValues[Name] = settingDefaults[name];
  const least = positiveSettings.includes(name) ? Number.MIN_VALUE : 0;
  return isLike(value, fallback) && !(typeof value === "number" && value < least) ? value : fallback;
}

function isLike<T>(value: unknown, like: T): value is T {
  if (Array.isArray(like)) return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (typeof like === "number") return typeof value === "number" && Number.isFinite(value);
  return typeof value === typeof like && value !== null && !Array.isArray(value);
}
