import { css } from "lit";

/** Lines keep their width however the drawing is stretched, so one drawing fits every panel width. */
export const chartStyles = css`
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    color: var(--dim);
    font-size: 0.92em;
  }
  .legend > span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .key {
    width: 20px;
    height: 8px;
    flex: none;
  }
  .plot {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 8px;
    margin-top: 8px;
  }
  .ticks {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    margin-block: -0.6em;
    color: var(--dim);
    font-size: 0.85em;
    line-height: 1.2;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .area {
    height: 150px;
    border-radius: 2px;
    cursor: crosshair;
  }
  .area:focus-visible {
    outline-offset: 3px;
  }
  .area svg {
    display: block;
    width: 100%;
    height: 100%;
    overflow: visible;
  }
  path {
    fill: none;
    vector-effect: non-scaling-stroke;
  }
  .alone {
    stroke: var(--alone);
    stroke-width: 2;
  }
  .batched {
    stroke: var(--batched);
    stroke-width: 2;
    stroke-dasharray: 5 3;
  }
  .saved {
    fill: color-mix(in srgb, var(--vscode-charts-green) 28%, transparent);
  }
  .lost {
    fill: color-mix(in srgb, var(--vscode-charts-red) 32%, transparent);
  }
  .grid {
    stroke: color-mix(in srgb, var(--vscode-foreground) 18%, transparent);
    stroke-width: 1;
  }
  .cursor {
    stroke: var(--vscode-foreground);
    stroke-width: 1;
    opacity: 0.6;
  }
  .dot {
    stroke-width: 8;
    stroke-linecap: round;
    stroke-dasharray: none;
  }
  .times {
    grid-column: 2;
    display: flex;
    justify-content: space-between;
    gap: 12px;
    font-size: 0.85em;
  }
  .times span:last-child {
    text-align: end;
  }
  .reading {
    min-height: 2.8em;
    margin-top: 4px;
    line-height: 1.4;
  }
  @media (forced-colors: active) {
    .alone {
      stroke: CanvasText;
    }
    .batched {
      stroke: Highlight;
    }
    .saved,
    .lost {
      fill: GrayText;
      fill-opacity: 0.35;
    }
    .grid,
    .cursor {
      stroke: GrayText;
    }
  }
`;
