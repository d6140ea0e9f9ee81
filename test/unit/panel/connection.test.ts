import assert from "node:assert/strict";
import { PanelConnection } from "../../../src/host/panel/connection.ts";
import { panelHtml } from "../../../src/host/panel/html.ts";
import type { PanelRequest, ToPanel } from "../../../src/protocol.ts";
import { batch, idOf, snapshot } from "../../support/panel/snapshots.ts";

/** A page, a clock and a state under the test's hand. */
class World {
  readonly sent: ToPanel[] = [];
  readonly asked: PanelRequest[] = [];
  readonly paged: unknown[] = [];
  readonly warnings: string[] = [];
  sequence = 1;
  visible = true;
  reachable = true;
  refuse: string | undefined;
  readonly #timers = new Set<() => void>();
  readonly connection: PanelConnection;

  constructor() {
    const quiet = (): void => undefined;
    const visible = (): boolean => this.visible;
    this.connection = new PanelConnection({
      page: {
        get visible() {
          return visible();
        },
        post: (message) => {
          if (this.reachable) this.sent.push(message);
          return Promise.resolve(this.reachable);
        },
      },
      clock: {
        after: (ms, callback) => {
          assert.equal(ms, 250);
          this.#timers.add(callback);
          return () => this.#timers.delete(callback);
        },
      },
      snapshot: () => snapshot({ sequence: this.sequence }),
      run: (request) => {
        this.asked.push(request);
        return this.refuse === undefined ? Promise.resolve() : Promise.reject(new Error(this.refuse));
      },
      told: (error) => (error instanceof Error ? error.message : "no error"),
      older: (after) => {
        this.paged.push(after);
        return this.refuse === undefined
          ? Promise.resolve({ git: [batch(9, [])], llm: [] })
          : Promise.reject(new Error(this.refuse));
      },
      strings: { title: "Batch Control" },
      locale: "de",
      log: {
        trace: quiet,
        debug: quiet,
        info: quiet,
        warn: (message) => void this.warnings.push(message),
        error: quiet,
      },
    });
  }

  change(): void {
    this.sequence += 1;
    this.connection.changed();
  }

  pass(): void {
    const due = [...this.#timers];
    this.#timers.clear();
    for (const callback of due) callback();
  }

  get sequences(): number[] {
    return this.sent.flatMap((message) => (message.kind === "snapshot" ? [message.snapshot.sequence] : []));
  }
}

describe("The panel's connection", () => {
  it("sends nothing before the page says it is ready, then the whole state with texts and locale", async () => {
    const world = new World();
    world.change();
    assert.deepEqual(world.sent, []);
    await world.connection.receive({ kind: "ready" });
    assert.deepEqual(world.sent, [
      {
        kind: "snapshot",
        snapshot: snapshot({ sequence: 2 }),
        locale: "de",
        strings: { title: "Batch Control" },
      },
    ]);
    assert.deepEqual(world.asked, []);
  });

  it("sends one snapshot a quarter of a second, always the newest, and none when nothing changed", async () => {
    const world = new World();
    await world.connection.receive({ kind: "ready" });
    for (let i = 0; i < 100; i += 1) world.change();
    assert.deepEqual(world.sequences, [1]);
    world.pass();
    assert.deepEqual(world.sequences, [1, 101]);
    world.pass();
    world.pass();
    assert.deepEqual(world.sequences, [1, 101]);
    world.change();
    assert.deepEqual(world.sequences, [1, 101, 102]);
  });

  it("is silent while the page is hidden and sends a fresh snapshot when it is shown", async () => {
    const world = new World();
    await world.connection.receive({ kind: "ready" });
    world.pass();
    world.visible = false;
    world.change();
    world.connection.visibilityChanged();
    assert.deepEqual(world.sequences, [1]);
    world.visible = true;
    world.connection.visibilityChanged();
    assert.deepEqual(world.sequences, [1, 2]);
  });

  it("answers with older batches, or says beside what was pressed why there are none to be had", async () => {
    const world = new World();
    await world.connection.receive({ kind: "older", after: { git: idOf(1) } });
    assert.deepEqual(world.paged, [{ git: idOf(1) }]);
    assert.deepEqual(world.sent, [{ kind: "older", batches: { git: [batch(9, [])], llm: [] } }]);
    world.refuse = "The disk is gone.";
    await world.connection.receive({ kind: "older", after: {} });
    assert.deepEqual(world.sent[1], { kind: "failed", request: "older", message: "The disk is gone." });
    await world.connection.receive({ kind: "older", after: { git: "no id" } });
    assert.equal(world.paged.length, 2);
    assert.equal(world.warnings.length, 1);
  });

  it("answers each handshake at once, for a page that was hidden starts anew", async () => {
    const world = new World();
    await world.connection.receive({ kind: "ready" });
    await world.connection.receive({ kind: "ready" });
    assert.deepEqual(world.sequences, [1, 1]);
  });

  it("sends anew what nobody received", async () => {
    const world = new World();
    world.reachable = false;
    await world.connection.receive({ kind: "ready" });
    await Promise.resolve();
    world.reachable = true;
    world.pass();
    assert.deepEqual(world.sequences, [1]);
  });

  it("passes on what the reader asks for", async () => {
    const world = new World();
    await world.connection.receive({ kind: "flush", side: "git" });
    await world.connection.receive({ kind: "cancelOperation", id: idOf(7) });
    assert.deepEqual(world.asked, [
      { kind: "flush", side: "git" },
      { kind: "cancelOperation", id: idOf(7) },
    ]);
    assert.deepEqual(world.sent, []);
  });

  it("tells the reader what failed and about what", async () => {
    const world = new World();
    world.refuse = "It has started and cannot be cancelled.";
    await world.connection.receive({ kind: "cancelOperation", id: idOf(7) });
    await world.connection.receive({ kind: "flush" });
    const { refuse: message } = world;
    assert.deepEqual(world.sent, [
      { kind: "failed", request: "cancelOperation", message, id: idOf(7) },
      { kind: "failed", request: "flush", message },
    ]);
  });

  it("does nothing with messages that are none of the panel's", async () => {
    const world = new World();
    const strange = [
      undefined,
      "flush",
      { kind: "deleteEverything" },
      { kind: "flush", side: "svn" },
      { kind: "flush", force: true },
      { kind: "cancelOperation", id: "1; rm -rf" },
      { kind: "cancelOperation", id: `${idOf(1)}${"0".repeat(5000)}` },
      { kind: "openResult" },
    ];
    for (const message of strange) await world.connection.receive(message);
    assert.deepEqual([world.asked, world.sent], [[], []]);
    assert.equal(world.warnings.length, strange.length);
  });

  it("is silent once it is closed", async () => {
    const world = new World();
    await world.connection.receive({ kind: "ready" });
    world.connection.dispose();
    world.change();
    world.pass();
    assert.deepEqual(world.sequences, [1]);
  });
});

describe("The panel's page", () => {
  const page = panelHtml({
    script: "https://w/panel.js",
    codicons: "https://w/codicon.css",
    nonce: "abc",
    cspSource: "https://w",
    language: 'de"><b',
    title: "<A & B>",
    place: "view",
  });

  it("lets nothing in but its own script, styles and fonts", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-abc'; style-src https://w; font-src https://w",
    );
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.match(page, /<script type="module" nonce="abc" src="https:\/\/w\/panel.js"><\/script>/);
    assert.doesNotMatch(page, /<style| style=| on\w+=/);
  });

  it("cannot be broken open by a text", () => {
    assert.match(page, /<title>&lt;A &amp; B&gt;<\/title>/);
    assert.match(page, /<html lang="de&quot;&gt;&lt;b">/);
  });
});
