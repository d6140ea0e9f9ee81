import assert from "node:assert/strict";
import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { settingDefaults } from "../../src/host/setting-table.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}
interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly scope: string;
  readonly order: number;
  readonly markdownDescription: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly items?: { readonly pattern?: string; readonly patternErrorMessage?: string };
}
interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly displayName: string;
  readonly icon: string;
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly extensionKind: readonly string[];
  readonly categories: readonly string[];
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      supported: string;
      description: string;
      restrictedConfigurations: string[];
    };
    readonly virtualWorkspaces: { supported: boolean; description: string };
  };
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string; icon?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly configuration: readonly {
      title: string;
      order: number;
      properties: Readonly<Record<string, Setting>>;
    }[];
    readonly viewsContainers: { readonly activitybar: readonly { id: string; icon: string }[] };
    readonly views: Readonly<Record<string, readonly { id: string; name: string; icon?: string }[]>>;
    readonly viewsWelcome: readonly { view: string; contents: string; when: string }[];
    readonly walkthroughs: readonly {
      steps: readonly {
        id: string;
        media: { markdown: string };
        completionEvents: string[];
        description: string;
      }[];
    }[];
  };
}

/** Scope and default of every setting, as agreed with those who rely on them. */
const agreedSettings: Readonly<Record<string, readonly [scope: string, value: unknown]>> = {
  "git.maxBatchSize": ["resource", 10],
  "git.maxBatchAge": ["resource", 5],
  "git.autoFlush": ["resource", true],
  "git.atomicPush": ["resource", false],
  "git.maxRefsPerPush": ["resource", 0],
  "git.protectedBranches": ["resource", []],
  "git.verifyCommand": ["resource", ""],
  "git.verifyPrepare": ["resource", ""],
  "git.verifyTimeout": ["resource", 1800],
  "git.commitTimeout": ["resource", 120],
  "git.pushTimeout": ["resource", 300],
  "llm.maxBatchSize": ["window", 10],
  "llm.maxBatchAge": ["window", 2],
  "llm.autoFlush": ["window", true],
  "llm.provider": ["window", "anthropic"],
  "llm.defaultModel": ["window", settingDefaults["llm.defaultModel"]],
  "llm.anthropic.baseUrl": ["machine", ""],
  "llm.openai.baseUrl": ["machine", ""],
  "llm.pollInterval": ["window", 60],
  "llm.unknownOutcomeWait": ["machine", 900],
  "llm.maxCostPerFlush": ["machine", 0],
  "llm.maxCostPerDay": ["machine", 0],
  "llm.prices": ["machine", {}],
  "llm.packing": ["window", false],
  "statusBar.show": ["window", true],
  "history.keepDays": ["window", 30],
  "notifications.batchFinished": ["window", "whenLong"],
};

describe("The manifest", () => {
  let manifest: Manifest;
  let strings: Readonly<Record<string, string>>;
  let source: string;

  before(async () => {
    manifest = JSON.parse(await read("package.json")) as Manifest;
    strings = JSON.parse(await read("package.nls.json")) as Record<string, string>;
    const files = await readdir(path.join(root, "src"), { recursive: true });
    source = (
      await Promise.all(files.filter((file) => file.endsWith(".ts")).map((file) => read(`src/${file}`)))
    ).join("\n");
  });

  const declared = (): string[] => manifest.contributes.commands.map(({ command }) => command);
  const settings = (): [string, Setting][] =>
    manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

  it("has the agreed identity", () => {
    assert.equal(manifest.name, "batch-control");
    assert.equal(manifest.publisher, "batch-control");
    assert.equal(manifest.displayName, "Batch Control");
    assert.equal(manifest.engines.vscode, "^1.125.0");
    assert.equal(manifest.devDependencies["@types/vscode"], "1.125.0");
    assert.deepEqual(manifest.extensionKind, ["workspace"]);
    assert.ok(manifest.categories.includes("SCM Providers"));
  });

  it("activates by what it contributes and once after start, never on everything", () => {
    assert.deepEqual(manifest.activationEvents, ["onStartupFinished", "onFileSystem:batch-control-edit"]);
  });

  it("shows the queue without trust, and takes no rule of git from a workspace that has none", () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, "limited");
    assert.deepEqual([...untrustedWorkspaces.restrictedConfigurations].sort(), [
      "batchControl.git.maxRefsPerPush",
      "batchControl.git.protectedBranches",
      "batchControl.git.verifyCommand",
      "batchControl.git.verifyPrepare",
    ]);
    assert.equal(virtualWorkspaces.supported, false);
    assert.ok(virtualWorkspaces.description);
  });

  it("declares exactly the commands that the code has", async () => {
    const answers = /export interface Answers \{([^}]*\{[^}]*\}[^}]*|[^}])*\n\}/.exec(
      await read("src/host/commands/command.ts"),
    );
    const names = [...(answers?.[0] ?? "").matchAll(/^ {2}(\w+): /gm)].map(
      ([, name]) => `batchControl.${name ?? ""}`,
    );
    assert.ok(names.length >= 20, "the table of commands was not found");
    assert.deepEqual([...declared()].sort(), names.sort());
  });

  it("names every command in title case under one category", () => {
    for (const { command, category, title } of manifest.contributes.commands) {
      assert.match(command, /^batchControl\.[a-z][A-Za-z]*$/);
      assert.equal(category, "Batch Control");
      assert.match(text(title), /^[A-Z]/);
      assert.doesNotMatch(text(title), /[.…]$/);
    }
  });

  it("keeps from the palette what only code or a row can use, and nothing else", () => {
    const hidden = manifest.contributes.menus["commandPalette"]
      ?.filter(({ when }) => when === "false")
      .map(({ command }) => command);
    assert.deepEqual(hidden, [
      "batchControl.getResult",
      "batchControl.getOperations",
      "batchControl.getState",
      "batchControl.moveUp",
      "batchControl.moveDown",
      "batchControl.copyId",
      "batchControl.cancelRow",
      "batchControl.showMore",
    ]);
  });

  it("offers in menus only commands that exist, and no command twice in one group of a menu", () => {
    for (const [menu, items] of Object.entries(manifest.contributes.menus)) {
      const seen = new Set<string>();
      for (const { command, submenu, group, when } of items) {
        if (submenu !== undefined) continue;
        assert.ok(command !== undefined && declared().includes(command), `${menu}: ${command ?? "nothing"}`);
        assert.ok(when, `${menu}: ${command} shows everywhere`);
        const place = `${command} ${group ?? ""}`;
        assert.ok(!seen.has(place), `${menu}: ${place}`);
        seen.add(place);
      }
    }
  });

  it("gives inline actions an icon", () => {
    const inline = manifest.contributes.menus["view/item/context"]?.filter(({ group }) =>
      group?.startsWith("inline"),
    );
    for (const { command } of inline ?? [])
      assert.ok(manifest.contributes.commands.find((each) => each.command === command)?.icon, command);
  });

  it("uses only context keys that the code sets", () => {
    const texts = [
      ...Object.values(manifest.contributes.menus).flatMap((items) => items.map(({ when }) => when ?? "")),
      ...manifest.contributes.viewsWelcome.map(({ when }) => when),
      ...completionEvents().map((event) => event.replace(/^onContext:/, "")),
    ];
    const ids = new Set([...declared(), ...views().map(({ id }) => id)]);
    const keys = texts.flatMap((when) => [...when.matchAll(/batchControl\.[A-Za-z.]+/g)].map(([key]) => key));
    for (const key of keys.filter((each) => !ids.has(each)))
      assert.match(source, new RegExp(`contextKeys\\.set\\(\\s*"${key.slice("batchControl.".length)}"`), key);
  });

  it("has the agreed settings with their scopes and defaults", () => {
    const found = Object.fromEntries(
      settings().map(([name, setting]) => [
        name.replace(/^batchControl\./, ""),
        [setting.scope, setting.default],
      ]),
    );
    assert.deepEqual(found, agreedSettings);
  });

  it("has the same defaults as the code that reads them", () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(agreedSettings).map(([name, [, value]]) => [name, value])),
      settingDefaults,
    );
  });

  it("describes, orders and bounds every setting", () => {
    for (const { title, properties } of manifest.contributes.configuration) {
      assert.ok(text(title));
      const orders = Object.values(properties).map(({ order }) => order);
      assert.equal(new Set(orders).size, orders.length);
      for (const [name, setting] of Object.entries(properties)) {
        assert.ok(text(setting.markdownDescription).length > 20, name);
        if (setting.type === "integer" || setting.type === "number") {
          const { minimum = NaN, maximum = NaN, default: value } = setting;
          assert.ok(minimum <= Number(value) && Number(value) <= maximum, name);
        }
        if (setting.enum) {
          assert.ok(setting.enum.includes(String(setting.default)), name);
          assert.equal(setting.enumDescriptions?.length, setting.enum.length, name);
        }
      }
    }
  });

  it("says what is wrong with a text that no setting takes, and takes its own defaults", () => {
    const taken: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
      "git.protectedBranches": [
        ["main", "release/*"],
        ["", "two words", "a:b"],
      ],
      "llm.defaultModel": [
        ["claude-haiku-4-5", "ft:gpt-6:me"],
        ["", "two words", '"quoted"'],
      ],
      "llm.anthropic.baseUrl": [
        ["", "https://gateway.example/v1", "http://127.0.0.1:8080"],
        ["gateway", "ftp://x"],
      ],
      "llm.openai.baseUrl": [["", "https://x"], ["https://a b"]],
    };
    const found = settings().flatMap(([name, setting]) => {
      const { pattern, patternErrorMessage } = setting.items ?? setting;
      if (pattern === undefined) return [];
      const [good, bad] = taken[name.replace(/^batchControl\./, "")] ?? [[], []];
      assert.ok(text(patternErrorMessage ?? "").length > 20, name);
      const values = [...good, ...(typeof setting.default === "string" ? [setting.default] : [])];
      for (const value of values) assert.match(value, new RegExp(pattern, "u"), name);
      for (const value of bad) assert.doesNotMatch(value, new RegExp(pattern, "u"), name);
      return [name.replace(/^batchControl\./, "")];
    });
    assert.deepEqual(found.sort(), Object.keys(taken).sort());
  });

  it("has no setting that would hold a secret", () => {
    for (const [name] of settings()) assert.doesNotMatch(name, /key|secret|token|password/i);
  });

  it("has a text for every key and no text without one", async () => {
    const used = new Set([...(await read("package.json")).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...used].sort(), Object.keys(strings).sort());
    for (const [key, value] of Object.entries(strings)) assert.ok(value.trim(), key);
  });

  it("links in welcome texts and walkthrough only to commands that exist", () => {
    const builtIn = new Set(["vscode.openFolder", "workbench.trust.manage"]);
    const texts = [
      ...manifest.contributes.viewsWelcome.map(({ contents }) => contents),
      ...manifest.contributes.walkthroughs.flatMap(({ steps }) =>
        steps.map(({ description }) => description),
      ),
    ];
    const linked = texts.flatMap((key) =>
      [...text(key).matchAll(/command:([\w.]+)/g)].map(([, id]) => id ?? ""),
    );
    assert.ok(linked.length > 0);
    for (const id of linked) assert.ok(builtIn.has(id) || declared().includes(id), id);
  });

  it("ticks the four steps of the walkthrough by what was done, not by a command that may have failed", () => {
    assert.deepEqual(completionEvents(), [
      "onContext:batchControl.did.queue",
      "onContext:batchControl.did.ask",
      "onContext:batchControl.did.flush",
      "onContext:batchControl.did.panel",
    ]);
  });

  it("welcomes in each empty state with what fits it, and never with what does not", () => {
    const state = { isWorkspaceTrusted: true, workspaceFolderCount: 1 };
    const cases: readonly [state: Readonly<Record<string, boolean | number>>, shown: readonly string[]][] = [
      [{ ...state, workspaceFolderCount: 0 }, ["noFolder"]],
      [{ ...state, "batchControl.noRepository": true }, ["noRepository"]],
      [{ ...state, isWorkspaceTrusted: false, "batchControl.noKey": true }, ["untrusted"]],
      [{ ...state, isWorkspaceTrusted: false, workspaceFolderCount: 0 }, ["untrusted"]],
      [{ ...state, "batchControl.noKey": true }, ["empty", "noKey"]],
      [{ ...state, workspaceFolderCount: 0, "batchControl.noKey": true }, ["noFolder", "noKey"]],
      [state, ["empty"]],
    ];
    for (const [keys, shown] of cases)
      assert.deepEqual(
        manifest.contributes.viewsWelcome
          .filter(({ when }) => holds(when, keys))
          .map(({ contents }) => contents.replace(/^%welcome\.(.+)%$/, "$1")),
        shown,
        JSON.stringify(keys),
      );
    for (const { view } of manifest.contributes.viewsWelcome)
      assert.ok(
        views().some(({ id }) => id === view),
        view,
      );
  });

  it("names files that exist", async () => {
    const { viewsContainers, walkthroughs } = manifest.contributes;
    const files = [
      manifest.icon,
      ...viewsContainers.activitybar.map(({ icon }) => icon),
      ...views().flatMap(({ icon }) => (icon?.endsWith(".svg") ? [icon] : [])),
      ...walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown)),
    ];
    for (const file of files) assert.ok((await stat(path.join(root, file))).size > 0, file);
  });

  it("has a square PNG of at least 256 pixels for a gallery, and an outline for the activity bar", async () => {
    const png = await readFile(path.join(root, manifest.icon));
    assert.equal(png.subarray(1, 4).toString("latin1"), "PNG");
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.ok(width >= 256 && width === height, `${width} x ${height}`);
    const svg = await read(manifest.contributes.viewsContainers.activitybar[0]!.icon);
    assert.match(svg, /viewBox="0 0 24 24"/);
    assert.match(svg, /fill="none"/);
  });

  const completionEvents = () =>
    manifest.contributes.walkthroughs.flatMap(({ steps }) =>
      steps.flatMap(({ completionEvents: events }) => events),
    );
  const views = () => Object.values(manifest.contributes.views).flat();

  /** The English text behind a key. */
  function text(key: string): string {
    const name = /^%(.+)%$/.exec(key)?.[1];
    return name === undefined ? key : (strings[name] ?? "");
  }
});

/** As the editor reads a clause of `key`, `!key`, `key == n` and `key != n` joined by `&&`. */
function holds(when: string, keys: Readonly<Record<string, boolean | number>>): boolean {
  return when.split(" && ").every((term) => {
    const [, not, key = "", operator, value] =
      /^(!?)([\w.]+)(?: (==|!=) (\d+))?$/.exec(term) ?? assert.fail(term);
    if (operator === undefined) return Boolean(keys[key]) !== (not === "!");
    return (keys[key] === Number(value)) === (operator === "==");
  });
}
