import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "./until.ts";

export type Home = Readonly<Record<"HOME", string>>;

/** Gives the suite a home folder of its own, so that windows of other tests are not found. */
export function useHome(): Home {
  const home = path.join(tmpdir(), `batch-control-home-${randomUUID()}`);
  before(() => mkdir(home));
  after(() => rm(home, { recursive: true, force: true }));
  return { HOME: home };
}

/** The files by which the open windows of a home folder are found. */
export const openWindows = ({ HOME }: Home): Promise<string[]> =>
  readdir(path.join(HOME, ".batch-control", "windows")).catch(() => []);

export const listening = (home: Home): Promise<boolean> =>
  until("a window that listens", async () => (await openWindows(home)).length === 1);
