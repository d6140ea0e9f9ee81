import { authentication, l10n } from "vscode";
import type { AuthenticationGetSessionOptions, ExtensionContext } from "vscode";
import path from "node:path";
import process from "node:process";
import type { Logger } from "../../core/ports.ts";
import { showMessage } from "../ui/tell.ts";
import { AskpassEndpoint } from "./askpass-endpoint.ts";
import { GithubCredentials } from "./github-credentials.ts";
import type { Account, Consent } from "./github-credentials.ts";

const CONSENT = "github.consent";

/** How this window's git processes get credentials that no helper of the user's has. */
export function gitCredentials(
  { globalState, extensionPath }: Pick<ExtensionContext, "globalState" | "extensionPath">,
  log: Logger,
): AskpassEndpoint {
  const github = new GithubCredentials({
    account: () => session({ silent: true }),
    signIn: () => session({ createIfNone: true }),
    ask,
    consent: {
      get: () => globalState.get<Consent>(CONSENT),
      set: (consent) => globalState.update(CONSENT, consent),
    },
    log,
  });
  return new AskpassEndpoint({
    node: process.execPath,
    program: path.join(extensionPath, "dist", "askpass.cjs"),
    answer: (prompt) => github.answer(prompt),
    log,
  });
}

async function session(options: AuthenticationGetSessionOptions): Promise<Account | undefined> {
  try {
    const found = await authentication.getSession("github", ["repo"], options);
    return found && { name: found.account.label, token: found.accessToken };
  } catch {
    // The person did not sign in after all, or nobody here knows GitHub.
    return undefined;
  }
}

async function ask(): Promise<Consent | undefined> {
  try {
    await authentication.getAccounts("github");
  } catch {
    return undefined;
  }
  const allow = l10n.t("Allow");
  const never = l10n.t("Never");
  const chosen = await showMessage(
    {
      severity: "information",
      message: l10n.t(
        "github.com asks for credentials and git has none. May Batch Control use your GitHub account in VS Code for this? What has failed by then can be retried.",
      ),
    },
    allow,
    never,
  );
  return chosen === allow ? "given" : chosen === never ? "refused" : undefined;
}
