import js from "@eslint/js";
import { createNodeResolver, flatConfigs, importX } from "eslint-plugin-import-x";
import globals from "globals";
import tseslint from "typescript-eslint";

/** Each room may import from the floors under its own; rooms of one floor do not know each other. */
const rooms = {
  core: [],
  journal: ["core"],
  runner: ["core"],
  git: ["core"],
  llm: ["core"],
  agents: ["core", "journal", "runner", "git", "llm"],
  host: ["core", "journal", "runner", "git", "llm"],
};
const zones = Object.entries(rooms).map(([room, below]) => ({
  target: `./src/${room}`,
  from: "./src",
  except: [room, ...below, ...(room === "host" || room === "agents" ? ["protocol.ts"] : [])].map(
    (name) => `./${name}`,
  ),
  message: `src/${room} may import only from ${below.join(", ") || "types and valibot"}.`,
}));
zones.push({
  target: "./webview",
  from: "./src",
  except: ["./protocol.ts"],
  message: "The panel knows only src/protocol.ts.",
});

/** Texts from outside must come to a person as text; one module each sees to that. */
const showsMessages = {
  selector: "Identifier[name=/^show(Information|Warning|Error)Message$/]",
  message: "The editor makes links of texts: use src/host/ui/tell.ts.",
};
const asksQuickly = {
  selector: "Identifier[name=/^(create|show)(QuickPick|InputBox)$|^showWorkspaceFolderPick$/]",
  message: "The editor makes links and icons of texts: use src/host/ui/ask.ts.",
};

export default tseslint.config(
  { ignores: ["dist", "out", ".vscode-test", "coverage", "node_modules"] },
  js.configs.recommended,
  flatConfigs.recommended,
  flatConfigs.typescript,
  {
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".mts", ".js", ".mjs"] })],
    },
    rules: {
      "import-x/no-cycle": ["error", { ignoreExternal: true }],
      "import-x/no-default-export": "error",
      "import-x/no-named-as-default": "off",
      "import-x/no-named-as-default-member": "off",
      "import-x/no-restricted-paths": ["error", { zones }],
      "import-x/no-unresolved": "off",
      "import-x/namespace": "off",
      "import-x/named": "off",
    },
  },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines": ["error", { max: 400, skipBlankLines: false, skipComments: false }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/host/**", "src/extension.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: [{ name: "vscode", message: "Only src/host may import vscode." }] },
      ],
    },
  },
  {
    files: ["src/core/**/*.ts", "src/protocol.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(?!\\.|valibot$).*",
              allowTypeImports: true,
              message: "core imports only types and valibot.",
            },
          ],
        },
      ],
    },
  },
  { files: ["src/**/*.ts", "webview/**/*.ts"], rules: { "no-console": "error" } },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/host/ui/{tell,ask}.ts"],
    rules: { "no-restricted-syntax": ["error", showsMessages, asksQuickly] },
  },
  { files: ["src/host/ui/tell.ts"], rules: { "no-restricted-syntax": ["error", asksQuickly] } },
  { files: ["src/host/ui/ask.ts"], rules: { "no-restricted-syntax": ["error", showsMessages] } },
  {
    files: ["webview/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^lit/directives/(style-map|unsafe-)",
              message: "Breaks the panel's content security policy.",
            },
          ],
        },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "TemplateElement[value.raw=/<style|\\sstyle=|\\son\\w+=/]",
          message: "Breaks the panel's content security policy: use static styles, or the property .style=.",
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unused-expressions": "off",
    },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
  { files: ["eslint.config.mjs"], rules: { "import-x/no-default-export": "off" } },
);
