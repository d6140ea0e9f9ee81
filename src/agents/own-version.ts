import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";
import * as v from "valibot";

const manifest = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }));

/** The version of the extension that a program belongs to. `program`: its file, as in `process.argv[1]`. */
export function ownVersion(program: string): string {
  const file = findPackageJSON(pathToFileURL(program));
  if (file === undefined) throw new Error(`There is no package.json above ${program}.`);
  return v.parse(manifest, readFileSync(file, "utf8")).version;
}
