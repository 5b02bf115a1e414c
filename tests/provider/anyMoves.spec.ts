import { folderOf, fullPath, isInside, outermost } from "../../values/path.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { pluginOn } from "./pluginOn.ts";

type Properties = Record<string, unknown>;
interface State extends Properties {
  readonly branch: string;
  readonly directory: string;
  readonly blobs: Readonly<Record<string, string>>;
  readonly leaving?: readonly State[];
}

const urn = "urn:pulumi:dev::edge::arcflux-git:index:GitFiles::edge-1";
const branches = ["main", "live"] as const;
const directories = ["", "a", "a/b"] as const;
const layouts = ["", "flux/"] as const;

const place = fc.record({
  branch: fc.constantFrom("main", "main", "live"),
  directory: fc.constantFrom(...directories),
  layout: fc.constantFrom(...layouts),
});
const step = fc.oneof(
  // Mostly where the resource is.
  { weight: 2, arbitrary: fc.record({ at: fc.constant(undefined) }) },
  { weight: 1, arbitrary: fc.record({ at: place }) },
  {
    weight: 5,
    arbitrary: fc.record({
      to: place,
      sets: fc.uniqueArray(fc.constantFrom("pos", "web", "db"), { minLength: 1 }),
      finish: fc.boolean(),
      // Its state is lost, as by kill -9 between the push and the engine's own file.
      killed: fc.boolean(),
      machine: fc.constantFrom("one", "two"),
    }),
  },
);

it("any row of moves, kills and files of people: nobody loses a file, and no folder is left that Flux would misread", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      const shop = new GitWorkshop();
      try {
        const url = await shop.repository({ "README.md": "read me\n" });
        shop.git(url, "branch", "live", "main");
        const people = new Map<string, string>([
          ["main:README.md", "read me\n"],
          ["live:README.md", "read me\n"],
        ]);
        const at = (branch: string): Map<string, string> =>
          new Map(Object.entries(shop.contents(url, "", branch)));
        let state: State | undefined;

        for (const [index, each] of steps.entries()) {
          if ("at" in each) {
            const [own = ""] = Object.keys(state?.blobs ?? {});
            const here = state && { ...state, layout: own.slice(0, own.lastIndexOf("/") + 1) };
            const { branch, directory, layout } = each.at ??
              here ?? { branch: "main", directory: "", layout: "" };
            const path = fullPath(directory, `${layout}by-hand.yaml`);
            shop.commit(url, { [path]: `by: ${index}\n` }, { branch });
            people.set(`${branch}:${path}`, `by: ${index}\n`);
            continue;
          }
          const { to, sets, finish, killed, machine } = each;
          const wanted = {
            ...{ repository: url, branch: to.branch, directory: to.directory, message: "Write" },
            files: Object.fromEntries(sets.map((set) => [`${to.layout}${set}.yaml`, `set: ${set}\n`])),
            author: { name: "Arcflux", email: "arcflux@example.com" },
            ...(finish && { onMove: "finish" }),
          };
          const run = async (): Promise<State> => {
            const plugin = pluginOn(shop, { machine });
            await plugin.check(urn, {}, wanted);
            if (state === undefined) return { ...(await plugin.create(urn, wanted)).outs } as never;
            if (!(await plugin.diff("id", urn, state, wanted)).changes) return state;
            return { ...(await plugin.update("id", urn, state, wanted)).outs } as never;
          };
          const before = state;
          if (killed && before !== undefined) await run();
          state = await run();

          const there = at(to.branch);
          for (const [path, text] of Object.entries(wanted.files))
            expect(there.get(fullPath(to.directory, path))).toBe(text);
          // What its cluster may still follow is gone, or has all that it had.
          if (before !== undefined && !finish) {
            const now = at(before.branch);
            const own = Object.keys(before.blobs).map((path) => fullPath(before.directory, path));
            const kept =
              before.branch === to.branch
                ? Object.keys(wanted.files).map((path) => fullPath(to.directory, path))
                : [];
            for (const folder of outermost(own.map(folderOf))) {
              if (kept.some((path) => isInside(path, folder))) continue;
              const left = [...now.keys()].filter((path) => isInside(path, folder));
              if (left.length > 0)
                expect(left).toEqual(expect.arrayContaining(own.filter((path) => isInside(path, folder))));
            }
          }
          // Whatever is ours somewhere is known, so that it can be taken out.
          const known = [state, ...(state.leaving ?? [])].flatMap(({ branch, directory, blobs }) =>
            Object.keys(blobs).map((path) => `${branch}:${fullPath(directory, path)}`),
          );
          const all = branches.flatMap((branch) =>
            [...at(branch)].map(([path, text]) => [`${branch}:${path}`, text] as const),
          );
          expect(
            all
              .filter(([path]) => !people.has(path))
              .map(([path]) => path)
              .sort(),
          ).toEqual(known.sort());
          for (const [path, text] of people) expect(new Map<string, string>(all).get(path)).toBe(text);
          // Once more changes nothing.
          const tips = branches.map((branch) => shop.git(url, "rev-parse", branch));
          const seen = await pluginOn(shop, { machine }).read("id", urn, state);
          expect(seen.props).not.toHaveProperty("seen");
          await run();
          if (!finish) expect(branches.map((branch) => shop.git(url, "rev-parse", branch))).toEqual(tips);
        }
        if (state === undefined) return;
        await pluginOn(shop).delete("id", urn, state);
        const rest = branches.flatMap((branch) => [...at(branch).keys()].map((path) => `${branch}:${path}`));
        expect(rest.sort()).toEqual([...people.keys()].sort());
      } finally {
        shop.remove();
      }
    }),
    // Each shrink is a row of runs of its own; the seed that is printed finds it again.
    { numRuns: 12, endOnFailure: true },
  );
}, 240_000);
