import type { TemplateResult } from "lit";
import { css, html, nothing } from "lit";
import type { Hold, PanelRequest, SideName, Snapshot, TextKey } from "../../src/protocol.ts";
import { icon } from "./icons.ts";
import type { IconName } from "./icons.ts";
import type { Failure } from "./panel-element.ts";
import { PanelElement } from "./panel-element.ts";

/** Holds that another API key may mend. */
const keyReasons: ReadonlySet<string> = new Set(["no-key", "key-unusable", "key-refused"]);

/** Holds that a person lifts by agreeing to the cost. */
const limitReasons: ReadonlySet<string> = new Set([
  "flush-cost-limit",
  "flush-cost-unknown",
  "daily-cost-limit",
  "cost-unknown",
]);

/** What stops work, and what was asked for and could not be done. */
export class PanelNotices extends PanelElement {
  static override properties = { snapshot: { attribute: false }, failure: { attribute: false } };
  declare snapshot: Snapshot;
  declare failure: Failure | undefined;

  static override styles = [
    PanelElement.styles,
    css`
      ul {
        display: grid;
        gap: 6px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 8px;
        padding: 5px 8px;
        border: 1px solid var(--line);
        border-inline-start: 3px solid var(--tone, var(--vscode-charts-blue));
        border-radius: 4px;
        background: var(--card);
      }
      li.warn {
        --tone: var(--warn);
        color: inherit;
      }
      li.bad {
        --tone: var(--bad);
        color: inherit;
      }
      li > .icon {
        color: var(--tone, var(--vscode-charts-blue));
      }
      .text {
        flex: 1 1 160px;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override willUpdate(): void {
    this.hidden = this.snapshot.holds.length + this.#pausedSides.length === 0 && this.failure === undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { holds } = this.snapshot;
    const untrusted = holds.some(({ reason }) => reason === "untrusted");
    const pausedSides = this.#pausedSides;
    if (this.hidden) return nothing;
    return html`<ul aria-label=${this.texts.t("notices")}>
      ${this.failure === undefined ? nothing : this.#failed(this.failure)}
      ${untrusted ? this.#untrusted() : nothing}
      ${holds.filter(({ reason }) => reason !== "untrusted").map((hold) => this.#hold(hold))}
      ${pausedSides.map((side) => this.#paused(side))}
    </ul>`;
  }

  get #pausedSides(): readonly SideName[] {
    return (["git", "llm"] as const).filter((side) => this.snapshot.paused[side]);
  }

  #failed({ message }: Failure): TemplateResult {
    const dismiss = this.texts.t("dismiss");
    return this.#notice(
      "bad",
      "error",
      html`<span role="alert">${message}</span>`,
      html`<button
        class="action"
        title=${dismiss}
        aria-label=${dismiss}
        @click=${() => this.emit("dismiss", undefined)}
      >
        ${icon("close")}
      </button>`,
    );
  }

  /** It stops both sides, and is said once. */
  #untrusted(): TemplateResult {
    const { texts } = this;
    const manage = (): void => this.request({ kind: "manageTrust" });
    return this.#notice(
      "bad",
      "warning",
      html`${texts.t("hold.untrusted")}`,
      html`<button class="action" @click=${manage}>${texts.t("hold.manageTrust")}</button>`,
    );
  }

  #hold({ kind, reason, until }: Hold): TemplateResult {
    const { texts } = this;
    const held = texts.t(kind === "git" ? "hold.git" : "hold.llm", { reason: texts.holdReason(reason) });
    const time = until === undefined ? "" : texts.t("hold.until", { time: texts.dateTime(until) });
    return this.#notice("bad", "warning", html`${held} ${time}`, this.#remedy(kind, reason));
  }

  #remedy(side: SideName, reason: string): TemplateResult {
    const button = (key: TextKey, request: PanelRequest): TemplateResult =>
      html`<button class="action" @click=${() => this.request(request)}>${this.texts.t(key)}</button>`;
    if (keyReasons.has(reason)) return button("hold.setKey", { kind: "setApiKey" });
    // Whoever flushes is asked about the cost.
    if (limitReasons.has(reason)) return button("hold.flush", { kind: "flush", side });
    return button("hold.tryAgain", { kind: "resume", side });
  }

  #paused(side: SideName): TemplateResult {
    const { texts } = this;
    const resume = (): void => this.request({ kind: "resume", side });
    return this.#notice(
      "warn",
      "debug-pause",
      html`${texts.t(side === "git" ? "paused.git" : "paused.llm")}`,
      html`<button class="action" @click=${resume}>${icon("debug-start")} ${texts.t("resume")}</button>`,
    );
  }

  #notice(tone: string, name: IconName, text: TemplateResult, action?: TemplateResult): TemplateResult {
    return html`<li class=${tone}>${icon(name)}<span class="text">${text}</span>${action ?? nothing}</li>`;
  }
}
customElements.define("panel-notices", PanelNotices);
