import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

export interface Notification {
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly buttons: readonly string[];
}

/** The toasts in the corner, and the modal dialog in the middle. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** What is shown, the newest first. */
  async shown(): Promise<Notification[]> {
    return this.#toasts().evaluateAll((toasts) =>
      toasts.map((toast) => ({
        severity: toast.querySelector(".codicon-error")
          ? ("error" as const)
          : toast.querySelector(".codicon-warning")
            ? ("warning" as const)
            : ("info" as const),
        message: toast.querySelector(".notification-list-item-message")?.textContent.trim() ?? "",
        buttons: [...toast.querySelectorAll(".notification-list-item-buttons-container .monaco-button")].map(
          (button) => button.textContent.trim(),
        ),
      })),
    );
  }

  /** Waits for one whose message contains the text or matches. */
  waitFor(text: string | RegExp): Promise<Notification> {
    return until(`a notification that says ${String(text)}`, async () => {
      return (await this.shown()).find(({ message }) => contains(message, text));
    });
  }

  /** Presses a button of the notification that contains the text. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const toast = this.#toasts().filter({ hasText: text }).first();
    await toast.locator(".monaco-button", { hasText: button }).first().click();
  }

  async dismissAll(): Promise<void> {
    await this.#page.keyboard.press("Escape");
    for (const toast of await this.#toasts().all()) {
      await toast.hover();
      await toast.locator(".codicon-notifications-clear, .codicon-close").first().click();
    }
  }

  /** The text of the modal dialog that is shown. */
  async dialog(): Promise<string> {
    return this.#dialog().innerText();
  }

  async pressInDialog(button: string): Promise<void> {
    await this.#dialog().locator(".monaco-button", { hasText: button }).first().click();
    await this.#dialog().waitFor({ state: "detached" });
  }

  #toasts(): Locator {
    return this.#page.locator(".notifications-toasts .notification-list-item");
  }

  #dialog(): Locator {
    return this.#page.locator(".monaco-dialog-box");
  }
}

function contains(message: string, text: string | RegExp): boolean {
  return typeof text === "string" ? message.includes(text) : text.test(message);
}
