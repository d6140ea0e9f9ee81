import type { Result } from "../../../core/result.ts";
import { isRecord } from "../../prepare.ts";

/** A result as a line of OpenAI's output or error file has it. */
export function exportOpenai(result: Result): Readonly<Record<string, unknown>> {
  if (result.status === "succeeded") {
    return { response: { status_code: 200, request_id: null, body: result.message }, error: null };
  }
  if (isRecord(result.message)) {
    const { response = null, error = null } = result.message;
    return { response, error };
  }
  const codes = {
    cancelled: "batch_cancelled",
    expired: "batch_expired",
    failed: result.reason ?? "server_error",
  };
  return { response: null, error: { code: codes[result.status], message: result.error ?? "" } };
}
