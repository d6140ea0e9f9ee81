import { json } from "../http.ts";
import type { JsonObject, Reply } from "../http.ts";

/** An error as the API reports it. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
}

export function invalid(message: string, param: string | null = null, code: string | null = null): ApiError {
  return { status: 400, type: "invalid_request_error", message, code, param };
}

export function notFound(message: string, param: string | null = null, code: string | null = null): ApiError {
  return { ...invalid(message, param, code), status: 404 };
}

export function errorBody({ message, type, param, code }: ApiError): JsonObject {
  return { error: { message, type, param, code } };
}

export function errorReply(error: ApiError): Reply {
  return json(errorBody(error), error.status);
}
