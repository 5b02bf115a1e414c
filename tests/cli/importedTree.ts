import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { workFolder } from "./workFolder.ts";

/** Clusters of a fleet file, as far as specs look. */
export interface Clusters {
  readonly [name: string]: {
    readonly folder?: string;
    readonly sets?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** A folder for each test of a file, in which a repository is imported. */
export function importFolder() {
  const { path, save, run } = workFolder();

  /** Imports a folder of a repository with these files; the fleet file must be one that validates. */
  const importOf = async (files: Readonly<Record<string, string>>, args = "clusters/a") => {
    await save("ref: refs/heads/main\n", "repo/.git/HEAD");
    for (const [name, text] of Object.entries(files)) await save(text, `repo/${name}`);
    const { code, out, err } = await run(`import repo/${args} --out fleet.yaml`);
    const notes = err.split("\n").slice(1, -1);
    if (code !== 0)
      return { code, out, err, notes, fleet: {} as Record<string, unknown>, clusters: {} as Clusters };
    const fleet = parse(await readFile(join(path(), "fleet.yaml"), "utf8")) as Record<string, unknown>;
    const valid = await run("validate");
    expect(valid.err).not.toContain("error");
    expect(valid.code).toBe(0);
    return { code, out, err, notes, fleet, clusters: fleet["clusters"] as Clusters };
  };
  return { path, save, run, importOf };
}
