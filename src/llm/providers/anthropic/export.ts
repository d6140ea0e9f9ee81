import type { Result } from "../../../core/result.ts";

/** A result as a line of Anthropic's results file has it. */
export function exportAnthropic(result: Result): Readonly<Record<string, unknown>> {
  switch (result.status) {
    case "succeeded":
      return { result: { type: "succeeded", message: result.message } };
    case "cancelled":
      return { result: { type: "canceled" } };
    case "expired":
      return { result: { type: "expired" } };
    case "failed": {
      const made = {
        type: "error",
        error: { type: result.reason ?? "api_error", message: result.error ?? "" },
        request_id: null,
      };
      return { result: { type: "errored", error: result.message ?? made } };
    }
  }
}
