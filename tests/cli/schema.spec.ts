import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";

const { run } = workFolder();

it("arcflux schema prints the bytes of the file in the repository, with and without --json", async () => {
  const file = await readFile(join(import.meta.dirname, "../../fleet.schema.json"), "utf8");
  for (const args of ["schema", "schema --json"]) {
    const { code, out, err } = await run(args);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(file.replaceAll("\r\n", "\n"));
  }
});
