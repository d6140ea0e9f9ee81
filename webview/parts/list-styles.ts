import { css } from "lit";

/** Rows are placed by the list itself and may be of any height. */
export const listStyles = css`
  :host {
    container-type: inline-size;
  }
  [role="treegrid"] {
    position: relative;
    overflow-anchor: none;
  }
  .row {
    position: absolute;
    inset-inline: 0;
    display: grid;
    grid-template-columns: minmax(45%, 1fr) auto auto;
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
  .status {
    display: inline-flex;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: 0 12px;
    font-variant-numeric: tabular-nums;
  }
  .actions {
    display: inline-flex;
    justify-content: flex-end;
    min-width: 48px;
    min-height: 22px;
  }
  .actions .action {
    opacity: 0;
  }
  .row:hover .action,
  .row:focus-within .action,
  .row:focus .action {
    opacity: 1;
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
      justify-content: flex-start;
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
    .actions {
      min-width: 0;
    }
  }
  @media (hover: none) {
    .actions .action {
      opacity: 1;
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
