import { openAsBlob } from "node:fs";
import type OpenAI from "openai";
import type { Batch, BatchCreateParams } from "openai/resources/batches";
import type {
  Answer,
  BodyFormat,
  CallOptions,
  LlmProvider,
  RemoteBatch,
  Submission,
} from "../../provider.ts";
import { Connection } from "../connection.ts";
import type { ProviderDeps } from "../deps.ts";
import { withoutKeys, withoutKeysIn } from "../mask.ts";
import { callOpenai } from "./call.ts";
import { connectOpenai } from "./client.ts";
import { exportOpenai } from "./export.ts";
import { innerFailure, openaiFailure } from "./failure.ts";
import { canPackOpenai, packedOpenai } from "./packing.ts";
import { prepareOpenai, restoreOpenai } from "./prepare.ts";
import { readOpenaiLine } from "./results.ts";

/** The key under which a batch's metadata keeps our mark. */
const MARK = "batch_control";
const PAGE = 100;
const MINUTE = 60_000;
const UPLOAD_TIMEOUT = 60 * MINUTE;

/** https://developers.openai.com/api/docs/guides/batch */
const limits = { maxCount: 50_000, maxBytes: 200_000_000 };

const body: BodyFormat = {
  head: "",
  separator: "\n",
  tail: "\n",
  item: (customId, { endpoint, params }) =>
    JSON.stringify({ custom_id: customId, method: "POST", url: endpoint, body: params }),
};

/** OpenAI's Batch API and its endpoints. */
export function openaiProvider(deps: ProviderDeps): LlmProvider {
  const connection = new Connection<OpenAI>(deps, connectOpenai, openaiFailure);
  return {
    name: "openai",
    limits,
    body,
    findsByMark: true,
    prepare: prepareOpenai,
    restore: restoreOpenai,
    exportResult: exportOpenai,
    readLine: (line) => withoutKeysIn(readOpenaiLine(line), connection.keys),
    list: (stop, options) => list(connection, stop, options),
    submit: (submission, options) => submit(connection, submission, options),
    poll: (id, options) =>
      connection.ask(options, async (client, signal) =>
        remote(connection, await client.batches.retrieve(id, { ...signal, timeout: MINUTE })),
      ),
    results: (_batch, output, options) =>
      connection.ask(options, async (client, signal) => {
        const response = await client.files.content(output, signal);
        if (response.body === null) throw new Error("The API answered without results");
        return response.body;
      }),
    cancel: (id, options) =>
      connection.ask(options, async (client, signal) =>
        remote(connection, await client.batches.cancel(id, { ...signal, timeout: MINUTE })),
      ),
    call: (request, options) =>
      connection.ask(options, (client, signal) => callOpenai(client, request, signal, options.onText)),
    // OpenAI caches by itself.
    cachePoints: () => [],
    cached: (request) => request,
    canPack: canPackOpenai,
    packed: packedOpenai,
    countTokens: () => Promise.resolve({ kind: "ok", value: undefined }),
  };
}

async function submit(
  connection: Connection<OpenAI>,
  submission: Submission,
  options: CallOptions,
): Promise<Answer<RemoteBatch>> {
  const blob = await openAsBlob(submission.file, { type: "application/jsonl" });
  const file = new File([blob], submission.name);
  const uploaded = await connection.ask(options, (client) =>
    client.files.create({ purpose: "batch", file }, { timeout: UPLOAD_TIMEOUT }),
  );
  if (uploaded.kind === "failed") {
    // An upload that may have arrived costs nothing and is deleted by itself; the batch was not created.
    return { kind: "failed", failure: { ...uploaded.failure, acted: "no" } };
  }
  const created = await connection.ask(options, async (client) =>
    remote(
      connection,
      await client.batches.create({
        input_file_id: uploaded.value.id,
        endpoint: submission.endpoint as BatchCreateParams["endpoint"],
        completion_window: "24h",
        metadata: { [MARK]: submission.mark },
      }),
    ),
  );
  if (created.kind === "failed" && created.failure.acted === "no") {
    await connection.ask(options, (client) => client.files.delete(uploaded.value.id));
  }
  return created;
}

async function list(
  connection: Connection<OpenAI>,
  stop: (batch: RemoteBatch) => boolean,
  options: CallOptions,
): Promise<Answer<readonly RemoteBatch[]>> {
  const found: RemoteBatch[] = [];
  for (let after: string | undefined; ;) {
    const query = { limit: PAGE, ...(after === undefined ? {} : { after }) };
    const page = await connection.ask(options, (client, signal) =>
      client.batches.list(query, { ...signal, timeout: MINUTE }),
    );
    if (page.kind === "failed") return page;
    for (const batch of page.value.data.map((one) => remote(connection, one))) {
      if (stop(batch)) return { kind: "ok", value: found };
      found.push(batch);
    }
    after = page.value.data.at(-1)?.id;
    if (!page.value.has_more || after === undefined) return { kind: "ok", value: found };
  }
}

const statuses: Readonly<Record<Batch["status"], RemoteBatch["status"]>> = {
  validating: "running",
  in_progress: "running",
  finalizing: "running",
  cancelling: "canceling",
  failed: "ended",
  completed: "ended",
  expired: "ended",
  cancelled: "ended",
};

function remote({ keys }: Pick<Connection<OpenAI>, "keys">, batch: Batch): RemoteBatch {
  const ended = batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
  const { total = 0, completed = 0, failed = 0 } = batch.request_counts ?? {};
  const mark = batch.metadata?.[MARK];
  const status = statuses[batch.status];
  return {
    id: batch.id,
    status,
    createdAt: batch.created_at * 1000,
    ...(ended === undefined ? {} : { endedAt: ended * 1000 }),
    ...(batch.expires_at === undefined ? {} : { expiresAt: batch.expires_at * 1000 }),
    archived: false,
    total,
    finished: completed + failed,
    outputs:
      status === "ended" ? [batch.output_file_id, batch.error_file_id].filter((id) => id !== undefined) : [],
    errors: withoutKeys(batch.errors?.data ?? [], keys).map(({ code, message, line }) => ({
      failure: innerFailure(code, undefined, message ?? "The provider gave no reason"),
      ...(typeof line === "number" ? { line } : {}),
    })),
    ...(mark === undefined ? {} : { mark }),
  };
}
