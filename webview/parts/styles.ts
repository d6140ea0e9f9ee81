import { css } from "lit";
import { iconStyles } from "./icons.ts";

/** What every part shares. Colours are the theme's own or mixed from them; a theme may leave any of them out. */
export const baseStyles = [
  iconStyles,
  css`
    :host {
      --dim: var(--vscode-descriptionForeground, var(--vscode-foreground));
      --line: var(
        --vscode-contrastBorder,
        var(--vscode-widget-border, color-mix(in srgb, var(--vscode-foreground) 18%, transparent))
      );
      --card: var(
        --vscode-editorWidget-background,
        color-mix(in srgb, var(--vscode-foreground) 4%, var(--vscode-editor-background))
      );
      --good: var(--vscode-charts-green);
      --bad: var(--vscode-errorForeground, var(--vscode-charts-red));
      --warn: var(--vscode-editorWarning-foreground, var(--vscode-charts-yellow));
      --busy: var(--vscode-charts-blue, var(--vscode-progressBar-background));
      --alone: var(--vscode-charts-blue);
      --batched: var(--vscode-charts-yellow, var(--vscode-charts-orange));
      display: block;
      color: var(--vscode-foreground);
    }
    :host([hidden]) {
      display: none;
    }
    *,
    *::before,
    *::after {
      box-sizing: border-box;
    }
    h2,
    h3,
    p,
    dl,
    dd {
      margin: 0;
    }
    h2 {
      font-size: 1.08em;
      font-weight: 600;
    }
    h3 {
      font-size: 1em;
      font-weight: 600;
    }
    .dim {
      color: var(--dim);
    }
    .icon.good {
      color: var(--good);
    }
    .icon.bad {
      color: var(--bad);
    }
    .icon.warn {
      color: var(--warn);
    }
    /* Text needs more contrast than a theme gives its signal colours. */
    .good {
      color: color-mix(in srgb, var(--good) 65%, var(--vscode-foreground));
    }
    .bad {
      color: color-mix(in srgb, var(--bad) 65%, var(--vscode-foreground));
    }
    .warn {
      color: color-mix(in srgb, var(--warn) 60%, var(--vscode-foreground));
    }
    .busy {
      color: var(--busy);
    }
    .card {
      background: var(--card);
      border: 1px solid var(--line);
      border-radius: 6px;
    }
    :focus-visible {
      outline: 1px solid var(--vscode-focusBorder);
      outline-offset: 1px;
    }
    .hidden {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    .action {
      display: inline-flex;
      align-items: center;
      gap: 4px;
      min-width: 22px;
      min-height: 22px;
      padding: 2px 3px;
      border: 1px solid transparent;
      border-radius: 5px;
      background: none;
      color: var(--vscode-icon-foreground, inherit);
      font: inherit;
      cursor: pointer;
    }
    .action:hover {
      background: var(--vscode-toolbar-hoverBackground);
      outline: 1px dashed var(--vscode-toolbar-hoverOutline, transparent);
      outline-offset: -1px;
    }
    .action:focus-visible {
      outline: 1px solid var(--vscode-focusBorder);
    }
    .action[aria-pressed="true"] {
      background: var(--vscode-inputOption-activeBackground);
      color: var(--vscode-inputOption-activeForeground, inherit);
      border-color: var(--vscode-inputOption-activeBorder, transparent);
    }
    .scroller {
      overflow: auto;
      max-height: 240px;
      /* The themes' own is hardly seen on a card, and not at all in some of them. */
      scrollbar-color: color-mix(in srgb, var(--vscode-foreground) 45%, transparent) transparent;
    }
    table {
      width: 100%;
      border-collapse: collapse;
      font-variant-numeric: tabular-nums;
    }
    caption {
      text-align: start;
    }
    th,
    td {
      padding: 4px 8px;
      border-bottom: 1px solid var(--line);
      text-align: end;
      font-weight: normal;
      white-space: nowrap;
    }
    thead th {
      position: sticky;
      top: 0;
      background: var(--card);
      color: var(--dim);
    }
    th:first-child,
    td:first-child {
      text-align: start;
    }
    tbody tr:last-child > * {
      border-bottom: none;
    }
    @media (forced-colors: active) {
      .action[aria-pressed="true"] {
        forced-color-adjust: none;
        background: Highlight;
        color: HighlightText;
        border-color: Highlight;
      }
    }
  `,
];
