import assert from "node:assert/strict";
import { chmod, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEffects } from "../support/faults/ledger.ts";
import type { Life } from "../support/faults/life.ts";
import type { Wish } from "../support/faults/orders.ts";
import { SmallVolume } from "../support/faults/small-volume.ts";
import { until } from "../support/faults/until.ts";
import { problemsOf } from "../support/faults/verdict.ts";
import type { WorldOptions } from "../support/faults/world.ts";
import { World } from "../support/faults/world.ts";

describe("a journal that cannot be written", function () {
  this.timeout(120_000);
  let world: World;
  let life: Life | undefined;
  let volume: SmallVolume | undefined;

  /** A process that has accepted a commit and a push of the first worktree. */
  async function open(options: WorldOptions = {}): Promise<{ life: Life; more: readonly Wish[] }> {
    world = await World.create(options);
    const [worktree, other] = world.sample.worktrees;
    assert.ok(worktree && other);
    const commit: Wish = {
      key: "commit",
      chain: worktree.branch,
      git: { worktree: worktree.path, message: "commit", files: [...worktree.files] },
    };
    const push: Wish = {
      key: "push",
      chain: worktree.branch,
      git: { kind: "push", worktree: worktree.path, branch: worktree.branch },
    };
    const late: Wish = {
      key: "late",
      chain: other.branch,
      git: { worktree: other.path, message: "late", files: [...other.files] },
    };
    world.wish(commit, push);
    const begun = await world.begin({ stays: true, patienceMs: 300 });
    life = begun;
    await until(() => begun.accepted.size === 2);
    world.wish(late);
    return { life: begun, more: [late] };
  }

  /** What was refused is asked for again and everything is done once. */
  async function recover({ life: begun, more }: { life: Life; more: readonly Wish[] }): Promise<void> {
    begun.tell({ kind: "ask", wishes: more });
    await until(() => begun.accepted.size === 2 + more.length);
    begun.tell({ kind: "flush" });
    begun.tell({ kind: "end" });
    assert.equal(await begun.end, "idle");
    begun.refused.length = 0;
    world.take(begun);
    assert.deepEqual(await problemsOf(world), []);
  }

  afterEach(async () => {
    life?.kill();
    await life?.end;
    await world.close();
    await volume?.close();
    volume = undefined;
  });

  // Skipped in its own body it would still be followed by the hook above, which then finds no world.
  (SmallVolume.possible ? it : it.skip)("for a full volume says so and keeps what it has", async () => {
    volume = await SmallVolume.create();
    const begun = await open({ storage: volume.folder });
    await volume.fill();
    begun.life.tell({ kind: "ask", wishes: begun.more });
    await until(() => begun.life.refused.length > 0);
    assert.match(
      begun.life.refused[0] ?? "",
      /late: JournalError: The volume of .* is full\. Free some space/,
    );
    await volume.empty();
    await recover(begun);
  });

  it("for a lock of another program says so, tries again, and goes on", async () => {
    const begun = await open();
    const other = new DatabaseSync(path.join(world.storage, "journal.sqlite"), { timeout: 0 });
    other.exec("BEGIN IMMEDIATE");
    begun.life.tell({ kind: "ask", wishes: begun.more });
    await until(() => begun.life.refused.length > 0);
    assert.match(
      begun.life.refused[0] ?? "",
      /late: JournalError: The journal in .* is kept locked by another program/,
    );
    other.exec("ROLLBACK");
    other.close();
    await recover(begun);
  });

  it("in the middle of a push forgets nothing: the outcome is found later", async () => {
    const begun = await open({ preReceive: 1 });
    begun.life.tell({ kind: "flush" });
    await until(() =>
      openEffects(world.storage).some(({ kind, state }) => kind === "push" && state === "started"),
    );
    const other = new DatabaseSync(path.join(world.storage, "journal.sqlite"), { timeout: 0 });
    other.exec("BEGIN IMMEDIATE");
    await until(async () => (await world.pushes()).length > 0);
    await until(async () =>
      (await readFile(begun.life.log, "utf8")).includes("kept locked by another program"),
    );
    other.exec("ROLLBACK");
    other.close();
    await recover(begun);
    assert.equal((await world.pushes()).length, 1);
  });

  it("because its folder is read-only is not opened, says so, and keeps what it has", async function () {
    if (process.platform === "win32") return this.skip();
    const begun = await open();
    begun.life.kill();
    await begun.life.end;
    world.take(begun.life);
    await rm(path.join(world.storage, "in-use.sqlite"), { force: true });
    await chmod(world.storage, 0o555);
    await chmod(world.root, 0o755);
    // The administrator may write everywhere, so another user tries.
    const refused = await world.begin({}, process.getuid?.() === 0 ? 65534 : undefined);
    assert.equal(await refused.end, "failed");
    assert.match(refused.errors, /The journal in .* cannot be (written|opened)/);
    await chmod(world.storage, 0o700);
    await world.live();
    assert.deepEqual(await problemsOf(world), []);
  });
});
