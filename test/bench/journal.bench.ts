/**
 * Durable acceptance: the SQLite journal beside the one in memory and beside a bare insert with the same durability, in one
 * run on one machine. `node test/bench/journal.bench.ts [operations]`; prints a table.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { v7 } from "uuid";
import type { Journal } from "../../src/core/journal.ts";
import type { NewOperation } from "../../src/core/operation.ts";
import { systemClock as clock } from "../../src/host/system-clock.ts";
import { MemoryJournal } from "../../src/journal/memory-journal.ts";
import { openJournal } from "../../src/journal/sqlite/open-journal.ts";

const operations = Number(process.argv[2] ?? 2_000);
const CALLERS = 64;
const payload = JSON.stringify({ prompt: "x".repeat(600) });
const newId = (): string => v7();

const operation = (): NewOperation => ({
  id: newId(),
  kind: "request",
  group: "llm:anthropic/bench/model",
  lane: "llm:anthropic",
  label: "bench",
  source: "extension",
  enqueuedAt: clock.now(),
  payload,
  fingerprint: "bench",
});

interface Row {
  readonly what: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** `callers` at once, each waiting for its acknowledgement before it asks again. */
async function measure(what: string, callers: number, accept: () => Promise<unknown>): Promise<Row> {
  const times: number[] = [];
  const begun = performance.now();
  const caller = async (): Promise<void> => {
    for (let n = 0; n < operations / callers; n++) {
      const start = performance.now();
      await accept();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - begun) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { what, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

function bareInsert(folder: string): () => Promise<unknown> {
  const db = new DatabaseSync(join(folder, "bare.sqlite"));
  db.exec(
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE op (id TEXT PRIMARY KEY, payload TEXT) STRICT",
  );
  const insert = db.prepare("INSERT INTO op VALUES (?, ?)");
  return () => Promise.resolve(insert.run(newId(), payload));
}

const folder = mkdtempSync(join(tmpdir(), "batch-control-bench-"));
try {
  const origin = { machine: "bench", window: newId(), workspace: "bench" };
  const opened = await openJournal(join(folder, "journal"), { clock, newId, origin });
  if (opened.kind === "unavailable") throw new Error(opened.message);
  const enqueue = (journal: Journal) => () => journal.enqueue([operation()]);
  const memory = new MemoryJournal({ clock, newId, origin });
  const bare = bareInsert(folder);
  const rows: Row[] = [];
  for (const callers of [1, CALLERS]) {
    rows.push(await measure(`bare insert, ${callers} callers`, callers, bare));
    rows.push(await measure(`SQLite journal, ${callers} callers`, callers, enqueue(opened.journal)));
    rows.push(await measure(`memory journal, ${callers} callers`, callers, enqueue(memory)));
  }
  const against = (row: Row): string => (row.perSecond / (rows[0]?.perSecond ?? 1)).toFixed(2);
  console.table(
    rows.map((row) => ({
      what: row.what,
      "accepted/s": Math.round(row.perSecond),
      "p50 ms": row.p50.toFixed(2),
      "p99 ms": row.p99.toFixed(2),
      "of one bare caller": against(row),
    })),
  );
  await opened.journal.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
