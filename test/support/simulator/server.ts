import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AnthropicApi } from "./anthropic/api.ts";
import { receiveBody } from "./body.ts";
import type { Body } from "./body.ts";
import { Misbehaviour } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { isObject, json, wait } from "./http.ts";
import type { Call, Reply } from "./http.ts";
import { loggedBody } from "./log.ts";
import type { OpenLogEntry } from "./log.ts";
import type { OpenaiApi } from "./openai/api.ts";
import { stableToken } from "./random.ts";
import { send } from "./send.ts";
import type { World } from "./world.ts";

/** Handles what is sent to the control address; the body is JSON. */
export type Control = (body: unknown) => Promise<unknown>;

const controlPath = "/__control";

/** The HTTP server: receives, logs, misbehaves where told to, and leaves the rest to the two APIs. */
export class SimulatorServer {
  readonly log: OpenLogEntry[] = [];
  readonly misbehaviour = new Misbehaviour();
  private readonly server: Server;
  private readonly world: World;
  private readonly anthropic: AnthropicApi;
  private readonly openai: OpenaiApi;
  private readonly control: Control;
  private origin = "";

  constructor(world: World, anthropic: AnthropicApi, openai: OpenaiApi, control: Control) {
    this.world = world;
    this.anthropic = anthropic;
    this.openai = openai;
    this.control = control;
    this.server = createServer((request, response) => void this.serve(request, response));
    // A slow upload is no fault here, and a hanging request must hang.
    this.server.requestTimeout = 0;
  }

  /** Listens on the loopback interface only; gives the port. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, "127.0.0.1", resolve);
    });
    const address = this.server.address() as AddressInfo;
    this.origin = `http://127.0.0.1:${address.port}`;
    return address.port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const method = request.method ?? "GET";
    const path = url.pathname;
    const isControl = path === controlPath;
    const serial = this.world.next();
    const api = this.anthropic.handles({ path, headers: request.headers }) ? this.anthropic : this.openai;
    let body: Body | undefined;
    try {
      body = await receiveBody(request, api.limit(path), this.world.folder, `body-${serial}`);
    } catch {
      // The client went away while it was sending.
      response.destroy();
      return;
    }
    if (isControl) {
      await this.serveControl(body, response);
      return;
    }
    const entry = await this.enter(method, url, request, body);
    const requestId = `req_011C${stableToken(`${this.world.seed}:request:${serial}`, 20)}`;
    const held = { kept: false };
    const reply = async (): Promise<Reply> => {
      if (body === undefined) return api.tooLarge(requestId);
      const { headers } = request;
      const keepBody = (): void => void (held.kept = true);
      const call: Call = {
        method,
        path,
        query: url.searchParams,
        headers,
        body,
        requestId,
        origin: this.origin,
        keepBody,
      };
      return api.handle(call);
    };
    try {
      await this.answer(response, entry, reply);
    } catch (error) {
      entry.failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!response.headersSent) await send(response, json({ failure: entry.failure }, 500), []);
    } finally {
      if (!held.kept) await body?.dispose();
    }
  }

  private async answer(
    response: ServerResponse,
    entry: OpenLogEntry,
    act: () => Promise<Reply>,
  ): Promise<void> {
    const faults = this.misbehaviour.take(entry.method, entry.path);
    for (const fault of faults) if (fault.kind === "delay") await wait(fault.ms);
    const instead = faults.find(isInstead);
    const acts = instead === undefined || (instead.kind !== "redirect" && instead.acted === true);
    const usual = acts ? await act() : undefined;
    if (faults.some((fault) => fault.kind === "hide")) this.hideCreated(usual);
    if (instead?.kind === "hang") return;
    if (instead?.kind === "drop") {
      response.destroy();
      return;
    }
    const reply = instead === undefined ? usual : replyOf(instead);
    if (reply === undefined) throw new Error("every request that is not broken off has a reply");
    entry.status = reply.status;
    const spoiled = faults.flatMap((fault) => (fault.kind === "parts" ? fault.faults : []));
    await send(response, reply, spoiled);
  }

  private hideCreated(reply: Reply | undefined): void {
    const value = reply?.kind === "json" ? reply.value : undefined;
    if (isObject(value) && typeof value["id"] === "string") this.world.hidden.add(value["id"]);
  }

  private async enter(
    method: string,
    url: URL,
    request: IncomingMessage,
    body: Body | undefined,
  ): Promise<OpenLogEntry> {
    const entry: OpenLogEntry = {
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      bytes: body?.bytes ?? Number(request.headers["content-length"] ?? 0),
      body: await loggedBody(body),
      time: this.world.clock.now(),
      status: undefined,
      failure: undefined,
    };
    this.log.push(entry);
    return entry;
  }

  private async serveControl(body: Body | undefined, response: ServerResponse): Promise<void> {
    try {
      const result = await this.control(await loggedBody(body));
      await send(response, json(result ?? {}), []);
    } catch (error) {
      await send(response, json({ error: error instanceof Error ? error.message : String(error) }, 400), []);
    }
  }
}

type Instead = Extract<Fault, { kind: "reply" | "redirect" | "drop" | "hang" }>;

/** Faults that replace the usual reply; the others go along with it. */
function isInstead(fault: Fault): fault is Instead {
  return fault.kind !== "delay" && fault.kind !== "parts" && fault.kind !== "hide";
}

function replyOf(fault: Extract<Fault, { kind: "reply" | "redirect" }>): Reply {
  if (fault.kind === "redirect") return json({}, fault.status ?? 307, { location: fault.to });
  return json(fault.body, fault.status, fault.headers ?? {});
}
