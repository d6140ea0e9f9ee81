import type OpenAI from "openai";
import type { Access } from "../connection.ts";
import { withoutEnvironment } from "../without-environment.ts";

const OPENAI_URL = "https://api.openai.com/v1";

/** The SDK's client, loaded when first needed; never retries, follows no redirect, and takes nothing from the environment. */
export async function connectOpenai(access: Access): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return withoutEnvironment(
    "OPENAI_",
    () =>
      new OpenAI({
        apiKey: access.apiKey,
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        baseURL: access.baseUrl === "" ? OPENAI_URL : access.baseUrl,
        maxRetries: 0,
        fetch: access.fetch,
        fetchOptions: { redirect: "manual" },
        logLevel: "off",
      }),
  );
}
