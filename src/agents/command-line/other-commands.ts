import { cameOf, failureOf, flushAnswer, isOver, oneLine, stateAnswer, understood } from "./answers.ts";
import type { AnsweredOperation, AnsweredSide } from "./answers.ts";
import { define, noMore } from "./command.ts";
import { given } from "./queue.ts";
import { UsageError } from "./usage-error.ts";
import { whenFinal } from "./when-final.ts";

export const flush = define({
  usage: "flush [git|llm]",
  about: `Executes what is queued, on one side or on both.

  --wait          end only when all of it is done; 0 only if all succeeded`,
  options: { wait: { type: "boolean" } },
  read: ({ wait }, [kind, ...rest]) => {
    noMore(rest);
    if (kind !== undefined && kind !== "git" && kind !== "llm")
      throw new UsageError(`There are git and llm to flush, but no "${kind}".`);
    return async (session) => {
      const answer = understood(flushAnswer, await session.call("flush", given({ kind, wait })));
      const { batches, outcomes, failed } = answer;
      const told = new Map(failed?.map((each) => [each.id, each]));
      const failure = failureOf(
        Object.entries(outcomes ?? {}).map(([id, status]) => told.get(id) ?? { id, status }),
      );
      const lines = batches.map(
        ({ id, status, operationCount }) =>
          `${status}  ${id}  ${operationCount} operation${operationCount === 1 ? "" : "s"}`,
      );
      return {
        data: answer,
        text: lines.length > 0 ? lines.join("\n") : "Nothing is queued.",
        ...(failure ? { failure } : {}),
      };
    };
  },
});

export const wait = define({
  usage: "wait <id>...",
  about: `Waits until these operations are done, and prints the answers of requests; ends with 0 only if all succeeded.
What is queued is not flushed by that.`,
  options: {},
  read: (_, names) => {
    if (names.length === 0) throw new UsageError("Name the id of an operation.");
    // Ids are UUIDs, which some programs write in capitals.
    const ids = names.map((name) => name.toLowerCase());
    return async (session) => {
      const operations = await whenFinal(session, ids);
      const failure = failureOf(operations);
      const done = operations.filter(({ status }) => status === "succeeded");
      return { data: { operations }, text: done.map(cameOf).join("\n"), ...(failure ? { failure } : {}) };
    };
  },
});

export const state = define({
  usage: "state",
  about: "Tells what is queued, executing, held and lately finished.",
  options: {},
  read: (_, names) => {
    noMore(names);
    return async (session) => {
      const answer = understood(stateAnswer, await session.call("state", {}));
      const { holds, paused } = answer;
      const lines = [
        ...sideLines("git", answer.git, paused.git),
        ...sideLines("llm", answer.llm, paused.llm),
        ...holds.map(
          ({ kind, reason, until }) =>
            `held  ${kind}  ${oneLine(reason)}${until === undefined ? "" : ` until ${until}`}`,
        ),
      ];
      return { data: answer, text: lines.join("\n") };
    };
  },
});

const LATELY = 5;

const operationsOf = (batches: AnsweredSide["executed"] = []): readonly AnsweredOperation[] =>
  batches.flatMap(({ operations = [] }) => operations);

function sideLines(name: string, side: AnsweredSide, paused: boolean): readonly string[] {
  const count = (batches: AnsweredSide["pending"]): number =>
    batches.reduce((sum, { operationCount }) => sum + operationCount, 0);
  return [
    `${name}  ${side.queuedCount} queued, ${count(side.pending)} pending, ${count(side.executing)} executing${paused ? ", paused" : ""}`,
    ...[
      ...operationsOf(side.executed).filter(isOver).slice(0, LATELY).reverse(),
      ...operationsOf(side.executing),
      ...operationsOf(side.pending),
      ...side.queued,
    ].map(({ id, kind, label, status, error }) => `  ${status}  ${kind}  ${id}  ${oneLine(error ?? label)}`),
  ];
}
