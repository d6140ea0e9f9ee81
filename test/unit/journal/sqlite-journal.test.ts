import { journalConformance } from "./conformance.ts";
import { StillClock } from "./fixtures.ts";
import { openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

describe("the journal in SQLite", () => {
  journalConformance(async () => {
    const clock = new StillClock();
    const folder = temporaryFolder();
    const { journal } = await openIn(folder, clock);
    const close = async (): Promise<void> => {
      await journal.close();
      removeFolder(folder);
    };
    return { journal, clock, close };
  });
});
