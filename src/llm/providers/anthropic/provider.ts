import { openAsBlob } from "node:fs";
import type Anthropic from "@anthropic-ai/sdk";
import type { MessageBatch } from "@anthropic-ai/sdk/resources/messages/batches";
import type {
  Answer,
  BodyFormat,
  CallOptions,
  ItemOutcome,
  LlmProvider,
  PreparedRequest,
  RemoteBatch,
  Submission,
} from "../../provider.ts";
import type { ProviderDeps } from "../deps.ts";
import { Connection } from "../connection.ts";
import { cachedAnthropic, cachePointsAnthropic } from "./caching.ts";
import { withoutKeysIn } from "../mask.ts";
import { connectAnthropic } from "./client.ts";
import { exportAnthropic } from "./export.ts";
import { anthropicFailure } from "./failure.ts";
import { canPackAnthropic, packedAnthropic } from "./packing.ts";
import { prepareAnthropic, restoreAnthropic } from "./prepare.ts";
import { readAnthropicLine, readAnthropicMessage } from "./results.ts";

const BATCHES = "/v1/messages/batches";
const PAGE = 100;
const MINUTE = 60_000;
/** A body of 256 MB may take its time; nothing of it is answered before it has arrived. */
const UPLOAD_TIMEOUT = 60 * MINUTE;

/** https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const limits = { maxCount: 100_000, maxBytes: 256_000_000 };

const body: BodyFormat = {
  head: '{"requests":[',
  separator: ",",
  tail: "]}",
  item: (customId, { params }) => JSON.stringify({ custom_id: customId, params }),
};

/** Anthropic's Messages and Message Batches. */
export function anthropicProvider(deps: ProviderDeps): LlmProvider {
  const connection = new Connection<Anthropic>(deps, connectAnthropic, anthropicFailure);
  const now = (): number => deps.clock.now();
  return {
    name: "anthropic",
    limits,
    body,
    findsByMark: false,
    prepare: prepareAnthropic,
    restore: restoreAnthropic,
    exportResult: exportAnthropic,
    readLine: (line) => withoutKeysIn(readAnthropicLine(line, now()), connection.keys),
    list: (stop, options) => list(connection, stop, options),
    submit: (submission, options) => connection.ask(options, (client) => submit(client, submission)),
    poll: (id, options) =>
      connection.ask(options, async (client, signal) =>
        remote(await client.messages.batches.retrieve(id, {}, { ...signal, timeout: MINUTE })),
      ),
    // Not through `results_url`: that would send the key wherever an answer says.
    results: (batch, _output, options) =>
      connection.ask(options, async (client, signal) => {
        const response = await client
          .get(`${BATCHES}/${encodeURIComponent(batch.id)}/results`, signal)
          .asResponse();
        if (response.body === null) throw new Error("The API answered without results");
        return response.body;
      }),
    cancel: (id, options) =>
      connection.ask(options, async (client, signal) =>
        remote(await client.messages.batches.cancel(id, {}, { ...signal, timeout: MINUTE })),
      ),
    call: (request, options) =>
      connection.ask(options, (client, signal) => call(client, request, signal, options.onText)),
    cachePoints: cachePointsAnthropic,
    cached: cachedAnthropic,
    canPack: canPackAnthropic,
    packed: packedAnthropic,
    countTokens: (request, options) =>
      connection.ask(options, async (client, signal) => {
        const {
          max_tokens: _max,
          metadata: _metadata,
          service_tier: _tier,
          stop_sequences: _stop,
          ...counted
        } = request.params;
        const headers = betaHeader(request.betas);
        const { input_tokens: tokens } = await client.post<{ input_tokens: number }>(
          "/v1/messages/count_tokens",
          { body: counted, headers, ...signal },
        );
        return tokens;
      }),
  };
}

const betaHeader = (betas: readonly string[]): Record<string, string> =>
  betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") };

async function submit(client: Anthropic, submission: Submission): Promise<RemoteBatch> {
  const blob = await openAsBlob(submission.file, { type: "application/json" });
  const headers = { "content-type": "application/json", ...betaHeader(submission.betas) };
  return remote(await client.post<MessageBatch>(BATCHES, { body: blob, headers, timeout: UPLOAD_TIMEOUT }));
}

async function list(
  connection: Connection<Anthropic>,
  stop: (batch: RemoteBatch) => boolean,
  options: CallOptions,
): Promise<Answer<readonly RemoteBatch[]>> {
  const found: RemoteBatch[] = [];
  for (let after: string | undefined; ;) {
    const query = { limit: PAGE, ...(after === undefined ? {} : { after_id: after }) };
    const page = await connection.ask(options, (client, signal) =>
      client.messages.batches.list(query, { ...signal, timeout: MINUTE }),
    );
    if (page.kind === "failed") return page;
    for (const batch of page.value.data.map(remote)) {
      if (stop(batch)) return { kind: "ok", value: found };
      found.push(batch);
    }
    after = page.value.data.at(-1)?.id;
    if (!page.value.has_more || after === undefined) return { kind: "ok", value: found };
  }
}

function remote(batch: MessageBatch): RemoteBatch {
  const { canceled, errored, expired, processing, succeeded } = batch.request_counts;
  return {
    id: batch.id,
    status:
      batch.processing_status === "ended"
        ? "ended"
        : batch.processing_status === "canceling"
          ? "canceling"
          : "running",
    createdAt: Date.parse(batch.created_at),
    expiresAt: Date.parse(batch.expires_at),
    ...(batch.ended_at === null ? {} : { endedAt: Date.parse(batch.ended_at) }),
    archived: batch.archived_at !== null,
    total: canceled + errored + expired + processing + succeeded,
    outputs: batch.results_url === null ? [] : ["results"],
    errors: [],
  };
}

async function call(
  client: Anthropic,
  request: PreparedRequest,
  signal: { readonly signal?: AbortSignal },
  onText: ((text: string) => void) | undefined,
): Promise<ItemOutcome> {
  const params = request.params as unknown as Anthropic.MessageCreateParamsNonStreaming;
  // Streamed always: the API refuses long answers otherwise, and an idle connection would be cut.
  const stream = client.messages.stream(params, { headers: betaHeader(request.betas), ...signal });
  if (onText !== undefined) stream.on("text", onText);
  const answer = readAnthropicMessage(await stream.finalMessage());
  if (answer === undefined) throw new Error("The API answered with a message of an unknown shape");
  return answer;
}
