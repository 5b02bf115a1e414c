import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { cacheFolder } from "../../values/cacheFolder.ts";
import { Engine } from "../../build/engine.ts";
import { findEngine, loadEngine } from "../../build/engineFile.ts";
import { ignores } from "../../build/ignorePatterns.ts";

const file = findEngine(cacheFolder(process.env));
const engine = new Engine(() => loadEngine(file!));
afterAll(() => engine.close());

const names = ["apps", "a.yaml", ".github", "x.png", "b", "[b]", "ab"];
const segments = [...names, "*", "?", "*.yaml", "**", "a*", "[ab]*", "[^a]", "\\[b\\]", "[", "-"];
const lines = fc
  .tuple(
    fc.constantFrom("", "!", "#", "/", "!/"),
    fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "/", " ", "\\ "),
  )
  .map(([start, parts, end]) => `${start}${parts.join("/")}${end}`);
const texts = fc.array(lines, { maxLength: 4 }).map((all) => all.join("\n"));
const paths = fc
  .tuple(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/"))
  .map(([parts, end]) => parts.join("/") + end);

test("what is left out is what Flux's own code leaves out", async () => {
  expect(file).toBeDefined();
  await fc.assert(
    fc.asyncProperty(
      texts,
      texts,
      fc.array(paths, { minLength: 5, maxLength: 20 }),
      async (root, apps, all) => {
        const patterns = [
          { folder: "", text: root },
          { folder: "apps", text: apps },
        ];
        const request = { ignored: { patterns, paths: all } };
        const answer = await engine.call({ request, folders: new Map(), files: new Map() });
        if ("lost" in answer) throw new Error(answer.lost);
        const ours = ignores(patterns);
        const said = all.map((path) => ours.leavesOut(path.replace(/\/$/, ""), path.endsWith("/")));
        expect(said).toEqual(answer.response.ignored);
      },
    ),
    { numRuns: Number(process.env["ARCFLUX_FUZZ_RUNS"] ?? 300) },
  );
});
