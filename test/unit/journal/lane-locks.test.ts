import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LaneLocks } from "../../../src/core/executor.ts";
import { SqliteLaneLocks } from "../../../src/journal/lane-locks.ts";
import { MemoryLaneLocks } from "../../../src/journal/memory-lane-locks.ts";
import { Child } from "./child.ts";
import { removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

const llm = "llm:anthropic";

function locksConformance(make: () => LaneLocks): void {
  it("gives a lane to one at a time, and again after it was released", async () => {
    const locks = make();
    const held = await locks.tryAcquire(llm);
    assert.equal(held?.lane, llm);
    assert.equal(await locks.tryAcquire(llm), undefined);
    const other = await locks.tryAcquire("llm:openai");
    assert.notEqual(other, undefined);
    await held.release();
    const again = await locks.tryAcquire(llm);
    assert.notEqual(again, undefined);
    await held.release();
    assert.equal(await locks.tryAcquire(llm), undefined);
    await Promise.all([again!.release(), other!.release()]);
  });

  it("tells leading a lane from taking a turn in it", async () => {
    const locks = make();
    const [lead, turn] = [await locks.tryAcquire(llm), await locks.tryAcquire(llm, "turn")];
    assert.equal(await locks.tryAcquire(llm, "turn"), undefined);
    await turn!.release();
    assert.equal(await locks.tryAcquire(llm), undefined);
    const again = await locks.tryAcquire(llm, "turn");
    assert.notEqual(again, undefined);
    await Promise.all([lead!.release(), again!.release()]);
  });
}

describe("lane locks in memory", () => locksConformance(() => new MemoryLaneLocks()));

describe("lane locks in SQLite", () => {
  let folder: string;
  let storage: string;
  let user: string;
  const children: Child[] = [];

  beforeEach(() => {
    folder = temporaryFolder();
    [storage, user] = [join(folder, "storage"), join(folder, "user")];
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    removeFolder(folder);
  });

  const make = (): SqliteLaneLocks => new SqliteLaneLocks({ storage, user });
  function child(lane: string): Child {
    const started = new Child("child-lock.ts", [lane, storage, user]);
    children.push(started);
    return started;
  }

  locksConformance(make);

  it("keeps a repository's lock in its common directory and holds it against other processes", async () => {
    const common = join(folder, "repo with ünïcode", ".git");
    mkdirSync(common, { recursive: true });
    const lock = await make().tryAcquire(`git:${common}`);
    assert.ok(existsSync(join(common, "batch-control", "lock")));
    const refused = child(`git:${common}`);
    await refused.line("refused");
    await lock!.release();
    await child(`git:${common}`).line("held");
    assert.equal(await make().tryAcquire(`git:${common}`), undefined);
  });

  it("is not lost when the holder itself asks again", async () => {
    const lock = await make().tryAcquire(llm);
    assert.equal(await make().tryAcquire(llm), undefined);
    await child(llm).line("refused");
    await lock!.release();
  });

  it("falls to the next one when the holder is killed, and when it lets go", async () => {
    const first = child(llm);
    await first.line("held");
    assert.equal(await make().tryAcquire(llm), undefined);
    await first.kill();
    const mine = await make().tryAcquire(llm);
    assert.notEqual(mine, undefined);
    await mine!.release();
    const second = child(llm);
    await second.line("held");
    second.say("release");
    await second.line("released");
    assert.notEqual(await make().tryAcquire(llm), undefined);
  });

  it("stays with a holder that is suspended", async () => {
    const holder = child(llm);
    await holder.line("held");
    process.kill(holder.pid, "SIGSTOP");
    assert.equal(await make().tryAcquire(llm), undefined);
  });

  it("goes to the user's folder where the repository cannot be written", async () => {
    const common = join(folder, "repo");
    writeFileSync(common, "a file where the folder should be, which no one can write into");
    const lock = await make().tryAcquire(`git:${common}`);
    assert.notEqual(lock, undefined);
    assert.equal(readdirSync(user).length, 1);
    assert.equal(await make().tryAcquire(`git:${common}`), undefined);
  });

  it("goes there as well where the lock is somebody else's, whom one may not write to", async function () {
    // Only root can become somebody else.
    if (process.getuid?.() !== 0) this.skip();
    const common = join(folder, "repository");
    mkdirSync(join(common, "batch-control"), { recursive: true });
    writeFileSync(join(common, "batch-control", "lock"), "");
    for (const place of [folder, common]) chmodSync(place, 0o755);
    for (const place of [storage, user]) {
      mkdirSync(place);
      chmodSync(place, 0o777);
    }
    const nobody = 65534;
    for (const answer of ["held", "refused"]) {
      const asking = new Child("child-lock.ts", [`git:${common}`, storage, user, `${nobody}`]);
      children.push(asking);
      await asking.line(answer);
    }
    assert.equal(readdirSync(user).length, 1);
  });

  it("has one leader only where many ask for the first time at once", async function () {
    this.timeout(30_000);
    const commons = Array.from({ length: 200 }, (_, n) => join(folder, `repository-${n}`));
    for (const common of commons) mkdirSync(common);
    const start = Date.now() + 1500;
    const asking = [0, 1].map(() => new Child("child-locks.ts", [storage, user, `${start}`, ...commons]));
    children.push(...asking);
    for (const one of asking) await one.line("asked");
    const led = asking.flatMap(({ lines }) => lines.filter((line) => line.startsWith("leads ")));
    assert.equal(new Set(led).size, led.length);
    // Two that ask in the same instant may both be refused; they ask again.
    for (const common of commons) {
      const mine = await make().tryAcquire(`git:${common}`);
      assert.equal(mine === undefined, led.includes(`leads ${common}`), common);
      await mine?.release();
    }
    assert.equal(existsSync(user), false);
  });

  it("does not go to the user's folder because files cannot be opened at the moment", async function () {
    if (process.platform === "win32") this.skip();
    const common = join(folder, "repository");
    mkdirSync(common);
    const lock = await make().tryAcquire(`git:${common}`);
    const poor = new Child("child-without-handles.ts", [storage, user, `git:${common}`]);
    children.push(poor);
    assert.equal(await poor.line("answer"), "answer JournalError unavailable");
    assert.equal(existsSync(user), false);
    await lock!.release();
  });

  it("does not make a repository that is gone", async () => {
    const lock = await make().tryAcquire(`git:${join(folder, "gone", ".git")}`);
    assert.notEqual(lock, undefined);
    assert.equal(existsSync(join(folder, "gone")), false);
  });

  it("lets only the user look into the folders that it makes", async function () {
    if (process.platform === "win32") this.skip();
    await make().tryAcquire(llm);
    assert.equal(statSync(join(storage, "locks")).mode & 0o777, 0o700);
  });

  it("says what is wrong where nothing can be written", async () => {
    writeFileSync(storage, "");
    await assert.rejects(make().tryAcquire(llm), { name: "JournalError", reason: "unavailable" });
  });
});
