import type Anthropic from "@anthropic-ai/sdk";
import type { Access } from "../connection.ts";
import { withoutEnvironment } from "../without-environment.ts";

const ANTHROPIC_URL = "https://api.anthropic.com";

/**
 * The SDK's client, loaded when first needed. It never retries by itself, because it would send a creation twice, never
 * follows a redirect, and takes nothing from the environment.
 */
export async function connectAnthropic(access: Access): Promise<Anthropic> {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  return withoutEnvironment(
    "ANTHROPIC_",
    () =>
      new Anthropic({
        apiKey: access.apiKey,
        authToken: null,
        webhookKey: null,
        baseURL: access.baseUrl === "" ? ANTHROPIC_URL : access.baseUrl,
        maxRetries: 0,
        fetch: access.fetch,
        fetchOptions: { redirect: "manual" },
        logLevel: "off",
        openTelemetry: false,
      }),
  );
}
