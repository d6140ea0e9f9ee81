/** Texts of the rooms that are no messages, or that are told as a part of one, by what they are. */
export const unshown: Readonly<Record<string, readonly RegExp[]>> = {
  "for git and other programs": [
    /^--format=/,
    /^batch-control: /,
    /^(?:reset|from|commit|delete|create|update|100644 blob) ⟨⟩/,
    /^\ndata ⟨⟩\n$/,
    /^(?:Squash|Merge) branch '⟨⟩' into ⟨⟩\n$/,
    /^Subproject commit ⟨⟩\n$/,
    /^ssh -o BatchMode=yes$/,
    /^git config --global --add safe\.directory '⟨⟩'$/,
    /Get-Process/,
    /^ROLLBACK TO/,
  ],
  "what git prints, to be found in it": [
    /^(?:fetch first|stale info|already exists|hook declined|unrelated histories|dubious ownership|cannot create)$/,
    /^atomic (?:push|transaction) fail(?:ed|ure)$/,
    /^error: failed to push some refs to $/,
    /^--mirror can't be combined with refspecs$/,
    /^failed to update ref$/,
    /^(?:Counting|Compressing|Writing|Uploading LFS) objects$|^Resolving deltas$/,
    /^No such remote$|^must be run in a work tree$|^not a git repository$/,
  ],
  "names of stored facts": [/^git\.(?:pushed|maxRefsPerPush) ⟨⟩$/],
  "for a model": [/^Below are ⟨⟩ independent|^nothing in one task|^⟨⟩ characters of its prompt/],
  "lists of names": [/^(?:[a-z0-9_-]+\s+)+[a-z0-9_-]*$/],
  "where a price is from": [/^the setting batchControl\.llm\.prices$|^⟨⟩ \(read ⟨⟩\)$/],
  "worded where it is shown": [/^(?:counted by the provider|estimated from the length of the text)$/],
  "faults of the program itself": [
    /gave no answer|answered ⟨⟩ ids|answered too few|has no effect ⟨⟩|^No (?:file|operation) ⟨⟩$/,
    /^Nothing to pack$|^The only question has nothing before it\.$/,
  ],
  "in the output of a check, which is shown as it is": [/^\nstopped after ⟨⟩ s$/],
  "begins with what git said": [/^git ⟨⟩: ⟨⟩$/],
};

/** Texts that are put together; each message that can come of it is here, and what only stands within one. */
export const composed: readonly { readonly parts: readonly string[]; readonly whole: readonly string[] }[] = [
  {
    parts: [
      '"⟨⟩" is ⟨⟩ and cannot be edited any more; ⟨⟩.',
      "retry it and edit the new one, or queue it anew",
      "queue it anew with the change",
    ],
    whole: [
      '"Fix it" is failed and cannot be edited any more; retry it and edit the new one, or queue it anew.',
      '"Fix it" is executing and cannot be edited any more; queue it anew with the change.',
    ],
  },
  {
    parts: ["must be the ⟨⟩ message", "is empty; write a ⟨⟩ message"],
    whole: [
      "message: must be the commit message",
      "message: is empty; write a commit message",
      "message: must be the merge message",
      "message: is empty; write a merge message",
    ],
  },
  {
    parts: [
      "⟨⟩, which is queued behind it, changes the same file; cancel or edit that one first",
      'the commit "⟨⟩"',
      "retry of ⟨⟩",
    ],
    whole: [
      'the commit "Fix it", which is queued behind it, changes the same file; cancel or edit that one first',
      'it builds on the commit "Fix it", which did not succeed',
      'order: the commit "Fix it" changes src/a.ts too; their order would change what they mean',
    ],
  },
  {
    parts: ["queue it again from the worktree", "⟨⟩ changed on ⟨⟩ since it was queued; ⟨⟩"],
    whole: [
      "src/a b.ts changed on main since it was queued; queue it again from the worktree",
      "there is no branch main any more; queue it again from the worktree",
    ],
  },
  {
    parts: [
      "the worktree ⟨⟩ of ⟨⟩ is not reachable; ⟨⟩",
      "bring it back, or run git worktree unlock and git worktree remove",
      "bring it back, or run git worktree prune",
    ],
    whole: [
      "the worktree /w/a of main is not reachable; bring it back, or run git worktree unlock and git worktree remove",
      "the worktree /w/a of main is not reachable; bring it back, or run git worktree prune",
    ],
  },
  {
    parts: ["⟨⟩ has a detached HEAD⟨⟩; check out a branch or name one", " (⟨⟩ in progress)"],
    whole: [
      "branch: /w/a has a detached HEAD (rebase in progress); check out a branch or name one",
      "branch: /w/a has a detached HEAD; check out a branch or name one",
    ],
  },
  {
    parts: ["the branch", "no branch"],
    whole: [
      "files: src/a.ts does not exist and is not on the branch",
      "/w/a has no branch checked out now, not main",
    ],
  },
  {
    parts: [
      "⟨⟩ is ⟨⟩, for ⟨⟩ s. If no git runs there, remove it.",
      "held by process ⟨⟩",
      "held by another process or left over by one",
    ],
    whole: [
      "/w/a/.git/index.lock is held by process 12, 13, for 40 s. If no git runs there, remove it.",
      "/w/a/.git/index.lock is held by another process or left over by one, for 40 s. If no git runs there, remove it.",
    ],
  },
  {
    parts: [" in ⟨⟩", "the merges before it together"],
    whole: [
      "a conflicts with b",
      "a conflicts with b in src/a.ts, src/b.ts",
      "a conflicts with the merges before it together",
    ],
  },
  {
    parts: [
      "⟨⟩ cannot be there side by side.",
      "⟨⟩ differ only in case; a host that ignores case refuses one of them.",
    ],
    whole: [
      "https://a.b/c.git: main and main/a cannot be there side by side.",
      "https://a.b/c.git: Main and main differ only in case; a host that ignores case refuses one of them.",
    ],
  },
  {
    parts: ["the atomic push"],
    whole: [
      "the pre-push hook refused the atomic push: no",
      "the pre-push hook refused main: line one\nline two",
    ],
  },
  {
    parts: [" and ⟨⟩ more"],
    whole: [
      'Nothing can be done in /w/.git: the repository /w/.git is gone. Queued there: "a", "b" and 4 more',
      'Nothing can be done in /w/.git: the repository /w/.git is gone. Queued there: "a"',
    ],
  },
  {
    parts: ["the remote protects ⟨⟩ (⟨⟩)⟨⟩", "the remote refused ⟨⟩ (⟨⟩)⟨⟩"],
    whole: [
      "the remote protects main (protected branch hook declined): GH006\nmore",
      "the remote protects main (protected branch hook declined)",
      "merged, but not pushed: the remote refused main (pre-receive hook declined): no",
      "the remote refused main (failed)",
    ],
  },
  {
    parts: ["was killed", "ended with ⟨⟩", "git ⟨⟩ ⟨⟩."],
    whole: ["git update-ref was killed.", "git update-ref ended with 128."],
  },
  {
    parts: ["another address"],
    whole: [
      "The API address answers with a redirect to another address, which is not followed with the key; set the final address",
    ],
  },
  {
    parts: ["prompt or messages"],
    whole: ["prompt or messages: about 12 tokens may not fit the model's 10"],
  },
  {
    parts: ["; up to ⟨⟩ in a batch with the beta ⟨⟩"],
    whole: [
      "maxTokens: is 9; m answers with at most 8",
      "maxTokens: is 9; m answers with at most 8; up to 10 in a batch with the beta output-300k",
    ],
  },
  {
    parts: [
      "batchControl.llm.prices: the entry for ⟨⟩ ⟨⟩, so its price counts as unknown.",
      "is not an object with input and output",
      "has a ⟨⟩ that is not a number from 0 to ⟨⟩",
    ],
    whole: [
      "batchControl.llm.prices: the entry for m is not an object with input and output, so its price counts as unknown.",
      "batchControl.llm.prices: the entry for m has a input that is not a number from 0 to 9, so its price counts as unknown.",
    ],
  },
  {
    parts: ["nothing came for two minutes"],
    whole: ["The results broke off: nothing came for two minutes"],
  },
  {
    parts: ["has ⟨⟩ bad ⟨⟩, so nothing was queued; mend ⟨⟩ or set skipBad. ⟨⟩:\n⟨⟩"],
    whole: [
      "file: has 1 bad line, so nothing was queued; mend it or set skipBad. Line:\n3: is not UTF-8",
      "file: has 7 bad lines, so nothing was queued; mend them or set skipBad. Lines:\n3: is not UTF-8\n9: params.model: must be a model id\n…",
    ],
  },
];
