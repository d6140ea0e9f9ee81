import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../paths.ts";

export interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}
export interface Setting {
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
export interface Manifest {
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
    readonly commands: readonly {
      command: string;
      title: string;
      category: string;
      icon?: string;
      enablement?: string;
    }[];
    readonly languageModelTools: readonly {
      name: string;
      displayName: string;
      userDescription: string;
      modelDescription: string;
      toolReferenceName: string;
      canBeReferencedInPrompt: boolean;
      icon: string;
      inputSchema: unknown;
    }[];
    readonly keybindings: readonly { command: string; key: string; mac: string; when: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly configuration: readonly {
      title: string;
      order: number;
      properties: Readonly<Record<string, Setting>>;
    }[];
    readonly viewsContainers: Readonly<Record<string, readonly { id: string; icon: string }[]>>;
    readonly views: Readonly<
      Record<string, readonly { id: string; name: string; icon?: string; type?: string }[]>
    >;
    readonly viewsWelcome: readonly { view: string; contents: string; when: string }[];
    readonly walkthroughs: readonly {
      steps: readonly {
        id: string;
        media: { svg: string; altText: string };
        completionEvents: string[];
        description: string;
      }[];
    }[];
  };
}

const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");

/** The manifest with its English texts, and the source that it is about. */
export class ManifestReader {
  readonly manifest: Manifest;
  /** All of `src`, one file after the other. */
  readonly source: string;
  readonly strings: Readonly<Record<string, string>>;

  private constructor(manifest: Manifest, strings: Readonly<Record<string, string>>, source: string) {
    this.manifest = manifest;
    this.strings = strings;
    this.source = source;
  }

  static async read(): Promise<ManifestReader> {
    const files = (await readdir(path.join(root, "src"), { recursive: true })).filter((file) =>
      file.endsWith(".ts"),
    );
    return new ManifestReader(
      JSON.parse(await read("package.json")) as Manifest,
      JSON.parse(await read("package.nls.json")) as Record<string, string>,
      (await Promise.all(files.map((file) => read(`src/${file}`)))).join("\n"),
    );
  }

  /** The ids of all commands. */
  commands(): string[] {
    return this.manifest.contributes.commands.map(({ command }) => command);
  }

  settings(): [name: string, setting: Setting][] {
    return this.manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  }

  views(): Manifest["contributes"]["views"][string] {
    return Object.values(this.manifest.contributes.views).flat();
  }

  completionEvents(): string[] {
    return this.manifest.contributes.walkthroughs.flatMap(({ steps }) =>
      steps.flatMap(({ completionEvents }) => completionEvents),
    );
  }

  /** The English text behind a key. */
  text(key: string): string {
    const name = /^%(.+)%$/.exec(key)?.[1];
    return name === undefined ? key : (this.strings[name] ?? "");
  }
}
