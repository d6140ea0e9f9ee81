import type { TemplateResult } from "lit";
import { css, html } from "lit";

/** Code points of the codicon font by icon name; the page's style sheet loads the font, which reaches every shadow tree. */
export const codepoints = {
  "chevron-down": 0xeab4,
  "chevron-right": 0xeab6,
  "circle-large": 0xebb5,
  "circle-slash": 0xeabd,
  "clear-all": 0xeabf,
  close: 0xea76,
  "debug-pause": 0xead1,
  "debug-start": 0xead3,
  "debug-stop": 0xead7,
  diff: 0xeae1,
  error: 0xea87,
  export: 0xebac,
  "git-commit": 0xeafc,
  "git-merge": 0xeafe,
  "go-to-file": 0xea94,
  "graph-line": 0xebe2,
  history: 0xea82,
  info: 0xea74,
  loading: 0xeb19,
  pass: 0xeba4,
  refresh: 0xeb37,
  "repo-push": 0xeb41,
  "run-all": 0xeb9e,
  sparkle: 0xec10,
  table: 0xebb7,
  warning: 0xea6c,
  watch: 0xeb7c,
} as const;
export type IconName = keyof typeof codepoints;

/** A decorative icon; what it means must stand beside it in words. */
export const icon = (name: IconName, classes = ""): TemplateResult =>
  html`<span class="icon ${name === "loading" ? "spin" : ""} ${classes}" aria-hidden="true"
    >${String.fromCodePoint(codepoints[name])}</span
  >`;

/** An icon that says `word` itself. */
export const namedIcon = (name: IconName, classes: string, word: string): TemplateResult =>
  html`<span
    class="icon ${name === "loading" ? "spin" : ""} ${classes}"
    role="img"
    title=${word}
    aria-label=${word}
    >${String.fromCodePoint(codepoints[name])}</span
  >`;

export const iconStyles = css`
  .icon {
    font: normal normal normal 16px/1 codicon;
    display: inline-block;
    flex: none;
    width: 16px;
    height: 16px;
    text-align: center;
    user-select: none;
    -webkit-font-smoothing: antialiased;
  }
  .spin {
    animation: spin 1.5s steps(30) infinite;
  }
  @keyframes spin {
    to {
      transform: rotate(360deg);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spin {
      animation: none;
    }
  }
`;
