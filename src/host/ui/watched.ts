import { ProgressLocation, window } from "vscode";

/** How work tells how far it is, and learns that it is not wanted any more. */
export interface Watch {
  readonly signal: AbortSignal;
  /** `share`: of the whole, from 0 to 1. */
  readonly progress: (share: number, message?: string) => void;
}

/** Shows progress, with a button that aborts, while `work` runs. */
export async function watched<T>(title: string, work: (watch: Watch) => Promise<T>): Promise<T> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      let done = 0;
      return work({
        signal: abort.signal,
        progress: (share, message) => {
          const percent = Math.floor(share * 100);
          if (percent === done) return;
          progress.report({ increment: percent - done, ...(message === undefined ? {} : { message }) });
          done = percent;
        },
      });
    },
  );
}
