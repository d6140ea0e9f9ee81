import type { FromPanel, ToPanel } from "../src/protocol.ts";
import type { UiState } from "./model/ui-state.ts";
import { readUiState } from "./model/ui-state.ts";

/** The panel's one line to the extension host. */
export class Host {
  readonly #api: ReturnType<typeof acquireVsCodeApi>;

  constructor(api: ReturnType<typeof acquireVsCodeApi>) {
    this.#api = api;
  }

  post(message: FromPanel): void {
    this.#api.postMessage(message);
  }

  /** Only the host can post to this page: its origin is the webview's own. */
  onMessage(listener: (message: ToPanel) => void): () => void {
    const receive = (event: MessageEvent<ToPanel>): void => listener(event.data);
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }

  get uiState(): UiState {
    return readUiState(this.#api.getState());
  }

  set uiState(state: UiState) {
    this.#api.setState(state);
  }
}
