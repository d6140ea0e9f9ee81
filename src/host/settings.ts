import { workspace } from "vscode";
import type { Event, Uri } from "vscode";
import { withDefaults } from "../core/triggers.ts";
import type { TriggerSettings } from "../core/triggers.ts";
import { settingDefaults, settingOr } from "./setting-table.ts";
import type { SettingName, SettingValues } from "./setting-table.ts";

const SECTION = "batchControl";
type GroupName = "git" | "llm";
/** The settings of one group, under their names without the group. */
export type SettingGroup<Group extends GroupName> = {
  readonly [Name in SettingName as Name extends `${Group}.${infer Rest}` ? Rest : never]: SettingValues[Name];
};

/** Reads the settings at the moment they are asked for, so a change acts at once. */
export class Settings {
  /** Some setting of ours changed. */
  readonly onDidChange: Event<void> = (listener, self, disposables) =>
    workspace.onDidChangeConfiguration(
      (event) => {
        if (event.affectsConfiguration(SECTION)) listener.call(self);
      },
      undefined,
      disposables,
    );

  get<Name extends SettingName>(name: Name, resource?: Uri): SettingValues[Name] {
    return settingOr(name, workspace.getConfiguration(SECTION, resource ?? null).get<unknown>(name));
  }

  /** `resource`: a file or folder whose folder's settings apply. */
  git(resource?: Uri): SettingGroup<"git"> {
    return this.#group("git", resource);
  }

  llm(): SettingGroup<"llm"> {
    return this.#group("llm", undefined);
  }

  /** When a side flushes by itself, with the defaults where a setting says 0. */
  triggers(side: GroupName): TriggerSettings {
    return withDefaults(
      { ...this[side]() },
      {
        maxBatchSize: settingDefaults[`${side}.maxBatchSize`],
        maxBatchAge: settingDefaults[`${side}.maxBatchAge`],
      },
    );
  }

  #group<Group extends GroupName>(group: Group, resource: Uri | undefined): SettingGroup<Group> {
    const names = (Object.keys(settingDefaults) as SettingName[]).filter((name) =>
      name.startsWith(`${group}.`),
    );
    return Object.fromEntries(
      names.map((name) => [name.slice(group.length + 1), this.get(name, resource)]),
    ) as SettingGroup<Group>;
  }
}
