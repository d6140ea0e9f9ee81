import assert from "node:assert/strict";
import type { LlmRequestInput } from "../../../src/core/schema/inputs.ts";
import { BranchGate } from "../../../src/host/branch-gate.ts";
import { enqueueCommands } from "../../../src/host/commands/enqueue.ts";
import type { InputFlows } from "../../../src/host/commands/enqueue.ts";
import { Flusher, parseFlush } from "../../../src/host/commands/flush.ts";
import { define } from "../../../src/host/commands/command.ts";
import { toolTable } from "../../../src/host/tools/table.ts";
import type { Agent, Prepared } from "../../../src/host/tools/tool.ts";
import { InputError, StateError } from "../../../src/core/errors.ts";
import type { Result } from "../../../src/core/result.ts";
import { costAllowed } from "../../../src/llm/index.ts";
import { commit, openBatchers, push, request } from "../../support/core/batchers.ts";
import { snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const unasked = () => assert.fail("an agent was asked");

async function open({
  trusted = true,
  check = () => Promise.resolve(),
  refusals = {},
}: {
  readonly trusted?: boolean;
  readonly refusals?: Readonly<Record<string, string>>;
  readonly check?: (request: LlmRequestInput) => Promise<void>;
} = {}) {
  const batchers = await openBatchers({ autoFlush: false });
  const callers: string[] = [];
  const flusher = new Flusher({
    ...batchers,
    refusal: () => Promise.resolve(undefined),
    mayPay: (caller) => {
      callers.push(caller);
      return Promise.resolve({ mark: costAllowed, lift: () => Promise.resolve() });
    },
    t: fill,
  });
  const targets = { protectedTarget: unasked, protectedAgain: unasked };
  const branches = new BranchGate({ targets, t: fill, confirm: unasked });
  const table = {
    ...enqueueCommands(batchers, {} as InputFlows, branches, {
      worktrees: () => Promise.resolve([]),
      agree: unasked,
    }),
    flush: define({
      trusted: true,
      parse: parseFlush,
      ask: unasked,
      run: (input, caller) => flusher.flush(input, caller),
    }),
  };
  const funnel = { log: batchers.log, t: fill, isTrusted: () => trusted, tell: unasked, inform: unasked };
  const tools = toolTable({
    parts: { ...batchers, requests: { check } as never },
    table,
    funnel,
    snapshot: () => snapshot(batchers.state.current()),
    refusal: (lane) => Promise.resolve(refusals[lane]),
    count: String,
  });
  const run = (name: string, input: unknown, agent: Agent = "tool", signal = new AbortController().signal) =>
    tools.get(`batchControl_${name}`)!.run(input, agent, signal);
  const prepare = (name: string, input: unknown): Prepared =>
    tools.get(`batchControl_${name}`)!.prepare(input);
  const end = async (results: Readonly<Record<string, Omit<Result, "id">>>): Promise<void> => {
    for (const side of [batchers.git, batchers.llm]) {
      const batch = side.getPendingBatch();
      if (!batch) continue;
      await side.markBatchExecuting(batch.id);
      const own = batch.operations.map(({ id }): [string, Result] => [
        id,
        { id, status: "succeeded", ...results[id] },
      ]);
      await side.markBatchCompleted(batch.id, new Map(own));
    }
  };
  return { ...batchers, run, prepare, end, callers };
}

describe("The tool that queues git work", () => {
  it("queues commits, pushes and merges, and says who asked", async () => {
    const { run, git } = await open();
    const merge = { kind: "merge", worktree: "/repo", source: "topic", target: "main" };
    for (const [agent, input] of [
      ["tool", commit("one")],
      ["cli", push("main")],
      ["mcp", merge],
    ] as const) {
      const answer = (await run("enqueueGit", input, agent)) as { id: string; status: string };
      const queued = git.getQueuedOps().find(({ id }) => id === answer.id);
      assert.equal(answer.status, "queued");
      assert.equal(queued?.kind, input.kind);
      assert.equal(queued.source, agent);
    }
  });

  it("answers where it stands by now when it is asked again under one key", async () => {
    const { run, git, end } = await open();
    const input = { ...push("main"), idempotencyKey: "k" };
    const first = (await run("enqueueGit", input)) as { id: string };
    await git.flush();
    await end({});
    assert.deepEqual(await run("enqueueGit", input), { id: first.id, status: "succeeded" });
  });

  for (const [what, input, field] of [
    ["nothing", undefined, "argument"],
    ["no kind", { worktree: "/repo", message: "m" }, "kind"],
    ["another kind", { ...push("main"), kind: "rebase" }, "kind"],
    ["a commit without a message", { kind: "commit", worktree: "/repo" }, "message"],
    ["a field of another kind", { ...push("main"), message: "m" }, "message"],
    ["a name that is none", { ...push("main"), branch: "" }, "branch"],
  ] as const) {
    it(`refuses ${what}, naming the field, and queues nothing`, async () => {
      const { run, git } = await open();
      await assert.rejects(run("enqueueGit", input), (error) => {
        assert.ok(error instanceof InputError, String(error));
        assert.equal(error.field, field);
        return true;
      });
      assert.equal(git.queueSize(), 0);
    });
  }

  it("asks a person first, and shows all of it, first where it goes, as text without links, icons or tags", async () => {
    const { prepare, git } = await open();
    const { question } = prepare("enqueueGit", {
      message: "Tidy [this](command:evil) $(flame) <!-- <b hidden\u001b[8m\u202e",
      files: ["a.txt", "b.txt"],
      ...{ kind: "merge", source: "agent/one", target: "evil", push: true, worktree: "/repo" },
    });
    assert.equal(question?.title, "Queue this merge?");
    assert.equal(
      question.text,
      [
        "- worktree: /repo",
        "- source: agent/one",
        "- target: evil",
        "- push: true",
        "- files: (2) a.txt, b.txt",
        "- message: Tidy \\[this\\](command:evil) \\$(flame) &lt;!-- &lt;b hidden&lt;U+001B&gt;\\[8m&lt;U+202E&gt;",
      ].join("\n"),
    );
    assert.equal(git.queueSize(), 0);
  });

  it("says how long it is where it does not show all of a text", async () => {
    const { prepare } = await open();
    const files = Array.from({ length: 900 }, (_, n) => `file-${n}.txt`);
    const { question } = prepare("enqueueGit", { ...commit("m".repeat(5_000)), files });
    assert.match(question!.text, /\n- files: \(900\) file-0\.txt, .*… \(\d+\)\n/);
    assert.match(question!.text, /\n- message: m{1500}… \(5000\)$/);
  });

  it("has something to ask whatever it is given", async () => {
    const { prepare } = await open();
    for (const input of [undefined, null, 1, "x", [], {}, { kind: 5 }])
      for (const name of ["enqueueGit", "enqueueRequests", "flush"])
        assert.ok(prepare(name, input).question?.title, `${name} ${JSON.stringify(input)}`);
  });
});

describe("The tool that queues requests", () => {
  it("queues all of them and answers their ids in order", async () => {
    const { run, llm } = await open();
    const queued = await run("enqueueRequests", { requests: [request("a"), request("b")] }, "mcp");
    const { ids, statuses } = queued as { ids: string[]; statuses: string[] };
    assert.deepEqual(statuses, ["queued", "queued"]);
    assert.deepEqual(
      llm.getQueuedOps().map(({ id, source }) => [id, source]),
      ids.map((id) => [id, "mcp"]),
    );
  });

  it("queues none where one is refused, and says which", async () => {
    const check = (one: LlmRequestInput) =>
      one.prompt === "b"
        ? Promise.reject(new InputError("params", "may not repeat model", "repeated"))
        : Promise.resolve();
    const { run, llm } = await open({ check });
    await assert.rejects(run("enqueueRequests", { requests: [request("a"), request("b")] }), {
      name: "InputError",
      message: "requests.1.params: may not repeat model",
      reason: "repeated",
    });
    await assert.rejects(
      run("enqueueRequests", { requests: [request("a"), { type: "judge", prompt: "x" }] }),
      {
        message: /^requests\.1\.model: /,
      },
    );
    for (const input of [{}, { requests: [] }, { requests: "x" }, { requests: [null] }])
      await assert.rejects(run("enqueueRequests", input), { message: /^requests/ });
    assert.equal(llm.queueSize(), 0);
  });

  it("asks a person first, with the first of them", async () => {
    const { prepare } = await open();
    const requests = Array.from({ length: 7 }, (_, n) => request(`prompt ${n}`));
    const { question } = prepare("enqueueRequests", { requests });
    assert.match(question!.text, /^Requests: 7\n\n- claude-opus-5-5: 7\n- prompt 0\n- prompt 1\n/);
    const mixed = [...requests, ...requests, request("<!--", "judge", "dear")];
    const asked = prepare("enqueueRequests", { requests: mixed }).question!.text;
    // However many there are, each model is told.
    assert.match(asked, /^Requests: 15\n\n- claude-opus-5-5: 14\n- dear: 1\n/);
    assert.match(asked, /\n- 5 more$/);
    const urgent = prepare("enqueueRequests", {
      requests: [...requests, { ...request("x"), urgency: "now" }],
    });
    assert.match(urgent.question!.text, /\n- claude-opus-5-5: 7\n- claude-opus-5-5 \(urgency: now\): 1\n/);
  });
});

describe("The tool that flushes", () => {
  it("executes what is queued, and is refused what code is", async () => {
    const { run, git, llm, callers } = await open();
    await git.enqueue(push("main"));
    await llm.enqueue(request("a"));
    const { batches } = (await run("flush", { kind: "llm" }, "cli")) as { batches: { group: string }[] };
    assert.deepEqual(
      batches.map(({ group }) => group),
      ["llm:anthropic/implementer/claude-opus-5-5"],
    );
    assert.deepEqual(callers, ["cli"]);
    assert.equal(git.queueSize(), 1);
  });

  it("tells, once it is over, what failed and why", async () => {
    const { run, git, end } = await open();
    const { id } = await git.enqueue(push("main"));
    const other = await git.enqueue(push("next"));
    const answer = run("flush", { kind: "git", wait: true });
    while (!git.getPendingBatch()) await new Promise((resolve) => setImmediate(resolve));
    await end({ [id]: { status: "failed", reason: "rejected", error: "the remote refused it" } });
    const { outcomes, failed } = (await answer) as { outcomes: object; failed: { id: string }[] };
    assert.deepEqual(outcomes, { [id]: "failed", [other.id]: "succeeded" });
    assert.partialDeepStrictEqual(failed, [
      { id, kind: "push", status: "failed", reason: "rejected", error: "the remote refused it" },
    ]);
    assert.equal(failed.length, 1);
  });

  it("lets go of who waits when they give up, and the work goes on", async () => {
    const { run, git } = await open();
    await git.enqueue(push("main"));
    const controller = new AbortController();
    const answer = run("flush", { kind: "git", wait: true }, "tool", controller.signal);
    while (!git.getPendingBatch()) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("given up"));
    await assert.rejects(answer, /given up/);
    assert.equal(git.getPendingBatch()?.status, "pending");
    await assert.rejects(run("flush", {}, "tool", controller.signal), /given up/);
  });

  it("asks a person first, with how much there is", async () => {
    const { prepare, git, llm } = await open();
    await git.enqueue(push("main"));
    await llm.enqueue(request("a"));
    assert.match(prepare("flush", {}).question!.text, /^- Git operations .*: 1\n- Requests .*: 1\n/);
    assert.doesNotMatch(prepare("flush", { kind: "git" }).question!.text, /Requests/);
  });
});

describe("The tool that tells the state", () => {
  it("tells what is queued, with counts that are whole and lists that are cut", async () => {
    const { run, prepare, git } = await open();
    for (let n = 0; n < 30; n += 1) await git.enqueue(push(`branch-${n}`));
    const state = (await run("state", {})) as { git: { queuedCount: number; queued: unknown[] } };
    assert.equal(state.git.queuedCount, 30);
    assert.equal(state.git.queued.length, 20);
    assert.equal(prepare("state", {}).question, undefined);
  });

  it("tells of operations with their results, in the order that was asked for", async () => {
    const { run, llm, end } = await open();
    const a = await llm.enqueue(request("a"));
    const b = await llm.enqueue(request("b"));
    const waits = run("state", { ids: [b.id, a.id], wait: true });
    await llm.flush();
    await end({ [a.id]: { status: "succeeded", text: "answer a", message: { content: "answer a" } } });
    const { operations } = (await waits) as { operations: { id: string; result?: Result }[] };
    assert.deepEqual(
      operations.map(({ id, result }) => [id, result?.status, result?.text, result?.message]),
      [
        [b.id, "succeeded", undefined, undefined],
        [a.id, "succeeded", "answer a", undefined],
      ],
    );
  });

  it("waits no longer for what a person has to mend first, and says what that is", async () => {
    const refusals: Record<string, string> = {};
    const { run, git, llm, journal, state } = await open({ refusals });
    const request1 = await llm.enqueue(request("a"));
    const waits = run("state", { ids: [request1.id], wait: true });
    await journal.setHold({ kind: "llm", reason: "no-key", lane: "llm:anthropic" });
    await state.refresh();
    const held = (await waits) as { operations: { status: string }[]; holds: string[] };
    assert.equal(held.operations[0]?.status, "queued");
    assert.match(held.holds[0]!, /^Anthropic: .*key/);
    const closed = await git.enqueue(push("main", "/closed"));
    refusals["git:/closed"] = "Nobody has /closed open.";
    await state.refresh();
    const unclaimed = (await run("state", { ids: [closed.id], wait: true })) as typeof held;
    assert.deepEqual(unclaimed.holds, ["Nobody has /closed open."]);
  });

  it("waits through a hold that ends by itself", async () => {
    const { run, llm, journal, end } = await open();
    const { id } = await llm.enqueue(request("a"));
    await journal.setHold({ kind: "llm", reason: "rate-limited", until: new Date(8e15).toISOString() });
    const waits = run("state", { ids: [id], wait: true });
    await llm.flush();
    await end({});
    assert.equal(((await waits) as { operations: { status: string }[] }).operations[0]?.status, "succeeded");
  });

  it("lets go of who waits when they give up", async () => {
    const { run, git } = await open();
    const { id } = await git.enqueue(push("main"));
    const controller = new AbortController();
    const waits = run("state", { ids: [id], wait: true }, "tool", controller.signal);
    controller.abort(new Error("given up"));
    await assert.rejects(waits, /given up/);
  });

  it("names what it cannot look up", async () => {
    const { run, git } = await open();
    const { id } = await git.enqueue(push("main"));
    const unknown = "01a22cce-73c7-7199-9c6c-9530fd976908";
    await assert.rejects(run("state", { ids: [id, unknown] }), {
      message: /^ids\.1: .*There is no operation/,
    });
    await assert.rejects(run("state", { ids: [unknown], wait: true }), { message: /There is no operation/ });
    await assert.rejects(run("state", { ids: ["x"] }), { message: /^ids\.0: is not an id/ });
    await assert.rejects(run("state", { ids: [] }), { message: /^ids: / });
    await assert.rejects(run("state", { wait: true }), { message: /^wait: / });
    await assert.rejects(run("state", []), { message: /^argument: must be an object/ });
  });
});

describe("Tools without trust", () => {
  it("tell the state and refuse everything else", async () => {
    const { run, git, llm } = await open({ trusted: false });
    assert.ok(await run("state", {}));
    for (const [name, input] of [
      ["enqueueGit", push("main")],
      ["enqueueRequests", { requests: [request("a")] }],
      ["flush", {}],
    ] as const)
      await assert.rejects(
        run(name, input),
        (error) => error instanceof StateError && error.reason === "untrusted",
      );
    assert.equal(git.queueSize() + llm.queueSize(), 0);
  });
});
