import { sideOf } from "../core/operation.ts";
import type { StoredOperation } from "../core/operation.ts";
import type { GitInput } from "../core/schema/inputs.ts";
import type { ProtectedTarget } from "../git/index.ts";
import type { Caller } from "./commands/command.ts";
import type { Translate } from "./l10n.ts";
import type { ProtectedTargets } from "./parts.ts";

interface BranchGateDeps {
  readonly targets: ProtectedTargets;
  readonly t: Translate;
  /** Asks a person; rejects with `Cancelled` where they do not agree. */
  readonly confirm: (question: string, agree?: string) => Promise<void>;
}

/** Lets a person's pushes of protected branches and merges into them pass only with consent. Code is refused where it queues them. */
export class BranchGate {
  readonly #deps: BranchGateDeps;

  constructor(deps: BranchGateDeps) {
    this.#deps = deps;
  }

  async pass(input: GitInput & { readonly kind: "push" | "merge" }, caller: Caller): Promise<void> {
    if (caller !== "person") return;
    const { targets, t } = this.#deps;
    const found = await targets.protectedTarget(input);
    await this.#ask([found], input.kind === "push" ? t("Push") : t("Merge"));
  }

  /** One question for all that is to be repeated, or edited with `patch`. */
  async passAgain(
    operations: readonly StoredOperation[],
    caller: Caller,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    if (caller !== "person") return;
    const git = operations.filter(({ kind }) => sideOf(kind) === "git");
    await this.#ask(
      await Promise.all(git.map((operation) => this.#deps.targets.protectedAgain(operation, patch))),
    );
  }

  async #ask(found: readonly (ProtectedTarget | undefined)[], agree?: string): Promise<void> {
    const { t, confirm } = this.#deps;
    const lines = found.flatMap((target) =>
      target
        ? t(
            "{0} is protected by the pattern {1} in the setting {2}.",
            target.branch,
            target.glob,
            "batchControl.git.protectedBranches",
          )
        : [],
    );
    if (lines.length > 0) await confirm([...new Set(lines), t("Queue it all the same?")].join("\n"), agree);
  }
}
