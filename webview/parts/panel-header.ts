import "@vscode-elements/elements/dist/vscode-button/index.js";
import type { TemplateResult } from "lit";
import { css, html } from "lit";
import type { Snapshot } from "../../src/protocol.ts";
import { totals } from "../model/totals.ts";
import { PanelElement } from "./panel-element.ts";

/** Title, state in one line, and the two things a reader does most. */
export class PanelHeader extends PanelElement {
  static override properties = { snapshot: { attribute: false }, titled: { attribute: false } };
  declare snapshot: Snapshot;
  /** Whether the title is seen; what is around the panel may say it already. */
  declare titled: boolean;

  static override styles = [
    PanelElement.styles,
    css`
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 16px;
      }
      .title {
        flex: 1 1 200px;
        min-width: 0;
      }
      h1 {
        margin: 0;
        font-size: 1.5em;
        font-weight: 600;
        line-height: 1.3;
      }
      /* High contrast themes leave the background of secondary buttons out. */
      vscode-button[secondary]:not(:hover)::part(base) {
        background-color: var(--vscode-button-secondaryBackground, transparent);
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
    `,
  ];

  override render(): TemplateResult {
    const { texts, snapshot } = this;
    const { waiting, executing } = totals(snapshot);
    const paused = snapshot.paused.git && snapshot.paused.llm;
    const elsewhere = snapshot.lanes.filter(({ held }) => !held).length;
    return html`<header>
      <div class="title">
        <h1 class=${this.titled ? "" : "hidden"}>${texts.t("title")}</h1>
        <p class="dim">
          ${executing > 0 ? texts.count("state.executing", executing) : ""}
          ${waiting > 0 ? texts.count("state.waiting", waiting) : ""}
          ${executing + waiting === 0 ? texts.t("state.idle") : ""}
          ${elsewhere > 0 ? texts.count("state.elsewhere", elsewhere) : ""}
        </p>
      </div>
      <div class="buttons">
        <vscode-button
          icon="run-all"
          title=${texts.t("flush.tip")}
          ?disabled=${waiting === 0}
          aria-disabled=${waiting === 0}
          @click=${() => this.request({ kind: "flush" })}
          >${texts.t("flush")}</vscode-button
        >
        <vscode-button
          secondary
          icon=${paused ? "debug-start" : "debug-pause"}
          title=${texts.t(paused ? "resume.tip" : "pause.tip")}
          @click=${() => this.request({ kind: paused ? "resume" : "pause" })}
          >${texts.t(paused ? "resume" : "pause")}</vscode-button
        >
      </div>
    </header>`;
  }
}
customElements.define("panel-header", PanelHeader);
