import { css } from "lit";

/** Rows are placed by the list itself and may be of any height. */
export const listStyles = css`
  :host {
    container-type: inline-size;
  }
  /* What is in the list moves nothing outside it, and a row nothing in another. */
  [role="treegrid"] {
    contain: strict;
    position: relative;
    overflow-anchor: none;
  }
  .row {
    contain: content;
    position: absolute;
    inset-inline: 0;
    display: grid;
    grid-template-columns: minmax(45%, 1fr) auto 48px;
    align-items: center;
    column-gap: 12px;
    padding: 3px 8px;
    border-radius: 4px;
    scroll-margin-block: 56px 12px;
    cursor: default;
  }
  .row.node {
    padding-block: 5px;
    cursor: pointer;
  }
  .row.operation,
  .row.more {
    padding-inline-start: 32px;
  }
  /* A bar, for where a theme gives all icons one colour. */
  .row.failed::before {
    content: "";
    position: absolute;
    inset-block: 3px;
    inset-inline-start: 0;
    border-inline-start: 3px solid var(--bad);
  }
  .row.failed > .facts .bad {
    font-weight: 600;
  }
  .row:hover {
    background: var(--vscode-list-hoverBackground);
    color: var(--vscode-list-hoverForeground, inherit);
  }
  .row:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  .name {
    display: flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
  }
  .label {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .node .label {
    font-weight: 600;
  }
  .title {
    display: flex;
    gap: 6px;
    min-width: 0;
  }
  .count {
    flex: none;
  }
  .facts {
    text-align: end;
    overflow-wrap: break-word;
    font-variant-numeric: tabular-nums;
  }
  .actions {
    display: flex;
    justify-content: flex-end;
    min-height: 22px;
  }
  /* No opacity: each element that has one is drawn by itself. */
  .actions .action {
    color: transparent;
  }
  .row:hover .action,
  .row:focus-within .action,
  .row:focus .action {
    color: var(--vscode-icon-foreground, inherit);
  }
  .error {
    grid-column: 1 / -1;
    display: grid;
    padding-block: 0 2px;
    padding-inline-start: 22px;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  progress {
    appearance: none;
    vertical-align: middle;
    width: 88px;
    height: 4px;
    border: none;
    border-radius: 2px;
    overflow: hidden;
    background: color-mix(in srgb, var(--vscode-progressBar-background) 25%, transparent);
  }
  progress::-webkit-progress-bar {
    background: none;
  }
  progress::-webkit-progress-value {
    background: var(--vscode-progressBar-background);
    border-radius: 2px;
  }
  @container (width < 560px) {
    .row {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .name {
      grid-column: 1 / -1;
    }
    .title {
      display: block;
    }
    .label {
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .facts {
      text-align: start;
      padding-inline-start: 44px;
      font-size: 0.92em;
    }
    .row.operation,
    .row.more {
      padding-inline-start: 24px;
    }
    .row.operation .facts {
      padding-inline-start: 44px;
    }
  }
  @media (hover: none) {
    .actions .action {
      color: var(--vscode-icon-foreground, inherit);
    }
  }
  @media (forced-colors: active) {
    .row:hover {
      outline: 1px dashed Highlight;
      outline-offset: -1px;
    }
    progress {
      border: 1px solid CanvasText;
    }
    progress::-webkit-progress-value {
      background: Highlight;
    }
  }
`;
