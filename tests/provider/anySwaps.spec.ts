import fc from "fast-check";
import { expect, it } from "vitest";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { pluginOn } from "./pluginOn.ts";

type Properties = Record<string, unknown>;
interface State extends Properties {
  readonly directory: string;
  readonly blobs: Readonly<Record<string, string>>;
  readonly leaving?: readonly Pick<State, "directory" | "blobs">[];
  readonly left?: readonly { readonly folders: readonly string[] }[];
}

const foldersLeft = ({ left = [] }: State): string[] => left.flatMap(({ folders }) => folders);

const names = ["one", "two"] as const;
const urn = (name: string): string => `urn:pulumi:dev::edge::arcflux-git:index:GitFiles::${name}`;
/** Where each of the two is to be: never at one place. */
const places = fc.shuffledSubarray(["p", "q", "r"], { minLength: 2, maxLength: 2 });
const run = fc.record({
  places,
  finish: fc.boolean(),
  /** Which the engine comes to first. */
  first: fc.constantFrom(...names),
  /** Milliseconds until it comes to the other; undefined is when the first is updated, as with `--parallel 1`. */
  apart: fc.constantFrom(0, 0, 60, undefined),
});

type Run = readonly [
  places: readonly string[],
  finish: boolean,
  first: "one" | "two",
  apart: number | undefined,
];
/** Rows that once went wrong, here or in the test. */
const rows = [
  [
    [["r", "p"], true, "two", undefined],
    [["p", "r"], true, "one", 60],
    [["r", "p"], false, "two", undefined],
    [["q", "r"], true, "two", 0],
  ],
  [
    [["r", "q"], true, "two", 0],
    [["r", "p"], false, "one", 0],
    [["q", "r"], true, "two", 60],
    [["q", "r"], false, "one", undefined],
    [["r", "q"], false, "one", 0],
  ],
].map((runs): [{ places: string[]; finish: boolean; first: "one" | "two"; apart: 0 | 60 | undefined }[]] => [
  (runs as unknown as Run[]).map(([places, finish, first, apart]) => ({
    places: [...places],
    finish,
    first,
    apart: apart as 0,
  })),
]);

it.each([
  ["the same names", (): string => "set"],
  ["names of their own", (name: string): string => name],
])(
  "two resources whose files have %s, in any row of moves: neither gets a folder while the other may be followed there",
  async (_, fileOf) => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 5 }), async (runs) => {
        const shop = new GitWorkshop();
        try {
          const url = await shop.repository({ "README.md": "read me\n" });
          const wanted = (name: string, directory: string, finish = false): Properties => ({
            ...{ repository: url, branch: "main", directory, message: "Write" },
            files: { [`${fileOf(name)}.yaml`]: `of: ${name}\n` },
            author: { name: "Arcflux", email: "arcflux@example.com" },
            ...(finish && { onMove: "finish" }),
          });
          const there = (): Map<string, string> => {
            const all = Object.entries(shop.contents(url, ""));
            return new Map(all.filter(([path]) => path !== "README.md"));
          };
          const states = new Map<string, State>();
          const olds = new Map<string, Properties>();
          for (const [name, place] of [
            ["one", "p"],
            ["two", "q"],
          ] as const) {
            const plugin = pluginOn(shop);
            olds.set(name, wanted(name, place));
            states.set(name, { ...(await plugin.create(urn(name), wanted(name, place))).outs });
          }
          for (const { places, finish, first, apart } of runs) {
            const before = new Map(states);
            const earlier = there();
            const plugin = pluginOn(shop);
            const update = async (name: string): Promise<void> => {
              const news = wanted(name, places[names.indexOf(name as "one")] ?? "", finish);
              const state = states.get(name) as State;
              await plugin.check(urn(name), olds.get(name) ?? {}, news);
              if (!(await plugin.diff("id", urn(name), state, news)).changes) return;
              await plugin.update("id", urn(name), state, news).then(
                ({ outs }) => {
                  states.set(name, { ...outs });
                  olds.set(name, news);
                },
                (error: unknown) =>
                  expect((error as Error).message).toMatch(/Another resource of this stack/),
              );
            };
            const [early, late] = first === "one" ? names : names.toReversed();
            const running = update(early ?? "");
            if (apart === undefined) await running;
            else await new Promise((resolve) => setTimeout(resolve, apart));
            await Promise.all([running, update(late ?? "")]);

            const now = there();
            const known: string[] = [];
            for (const name of names) {
              const [state, old] = [states.get(name), before.get(name)] as [State, State];
              // It has what is its own, whatever the other did.
              for (const { directory, blobs } of [state, ...(state.leaving ?? [])]) {
                for (const path of Object.keys(blobs)) {
                  known.push(`${directory}/${path}`);
                  expect(now.get(`${directory}/${path}`)).toBe(`of: ${name}\n`);
                }
              }
              // Where its cluster may look is nothing of the other's.
              // An empty folder tells nothing to one that the engine comes to before the other, in this run or an earlier.
              const free = (folder: string): boolean =>
                ![...earlier].some(
                  ([path, text]) => path.startsWith(`${folder}/`) && text !== `of: ${name}\n`,
                );
              const empty = apart === undefined ? [] : foldersLeft(old).filter(free);
              const waits = finish ? [] : [...(old.leaving ?? []).map((one) => one.directory), ...empty];
              for (const directory of [old.directory, ...waits]) {
                const here = [...now].filter(([path]) => path.startsWith(`${directory}/`));
                expect(here.map(([, text]) => text).filter((text) => text !== `of: ${name}\n`)).toEqual([]);
              }
            }
            expect([...now.keys()].sort()).toEqual([...new Set(known)].sort());
          }
        } finally {
          shop.remove();
        }
      }),
      { numRuns: 10, endOnFailure: true, examples: rows },
    );
  },
  240_000,
);
