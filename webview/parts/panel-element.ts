import type { CSSResultGroup, PropertyDeclarations } from "lit";
import { LitElement } from "lit";
import type { PanelRequest } from "../../src/protocol.ts";
import type { Texts } from "../model/texts.ts";
import { baseStyles } from "./styles.ts";

/** What went wrong with a request of the panel. */
export interface Failure {
  readonly message: string;
  readonly id?: string;
}

declare global {
  interface HTMLElementEventMap {
    "panel-request": CustomEvent<PanelRequest>;
  }
}

/** A part of the panel: it shows what it is given and asks through events. */
export class PanelElement extends LitElement {
  static override properties: PropertyDeclarations = { texts: { attribute: false } };
  static override styles: CSSResultGroup = baseStyles;
  declare texts: Texts;

  /** Asks the extension host for something; the root element sends it. */
  protected request(detail: PanelRequest): void {
    this.emit("panel-request", detail);
  }

  protected emit(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}
