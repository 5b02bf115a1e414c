/**
 * `node bench/fleets/run.ts FOLDER [NAME …]`: imports public fleets and says, fleet by fleet, what was taken, what means the
 * same, what was left out, whether it validates, and what an apply with prune would take away. FOLDER holds a clone of each
 * as `owner+name`; one that is missing is fetched there. Exits with 1 where an object would go, or a fleet file is refused.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBuilder } from "../../build/index.ts";
import { type Measured, measureFleet } from "./measureFleet.ts";
import { folderName, type PublicFleet, publicFleets } from "./publicFleets.ts";

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder that holds the fleets, or that they are to be fetched into.");
  process.exit(2);
}
const fleets = publicFleets.filter(
  ({ repository }) => names.length === 0 || names.some((name) => repository.includes(name)),
);

const builder = openBuilder();
if ("kind" in builder) {
  console.error(builder.message);
  process.exit(1);
}
const total = { written: 0, sets: 0, equal: 0, leftOut: 0, objects: 0, gone: 0, refused: 0 };
try {
  for (const fleet of fleets) {
    const measured = await measureFleet(
      join(placeOf(fleet), fleet.within ?? ""),
      fleet.folder ?? "",
      builder,
    );
    console.log(lines(fleet, measured).join("\n"));
  }
} finally {
  await builder.close();
}
console.log(
  `${total.written} Kustomizations, ${total.sets} sets, ${total.equal} equal, ${total.leftOut} left out; ` +
    `${total.objects} objects, ${total.gone} would go; ${total.refused} fleet files are refused`,
);
process.exitCode = total.gone > 0 || total.refused > 0 ? 1 : 0;

/** The work tree of a fleet, fetched where it is missing. */
function placeOf(fleet: PublicFleet): string {
  const place = join(folder!, folderName(fleet));
  if (existsSync(place)) return place;
  mkdirSync(place, { recursive: true });
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-C", place, ...args], { stdio: "inherit" });
  git("clone", "--quiet", "--filter=blob:none", `https://github.com/${fleet.repository}.git`, ".");
  git("checkout", "--quiet", fleet.commit);
  return place;
}

function lines({ repository }: PublicFleet, measured: Measured): string[] {
  const { written, clusters, sets, equal, leftOut, unbuilt, validates, refusal, simulated } = measured;
  const out = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  const objects = simulated.reduce((sum, each) => sum + each.objects, 0);
  const gone = simulated.flatMap(({ cluster, gone }) => gone.map((what) => `${cluster}: ${what}`));
  const changed = simulated.flatMap(({ cluster, changed }) => changed.map((what) => `${cluster}: ${what}`));
  const dark = simulated.flatMap(({ cluster, unbuilt }) => unbuilt.map((what) => `${cluster}: ${what}`));
  total.written += written;
  total.sets += sets;
  total.equal += equal;
  total.leftOut += out;
  total.objects += objects;
  total.gone += gone.length;
  if (!validates && clusters > 0) total.refused += 1;
  return [
    `${repository}: ${written} Kustomizations, ${clusters} clusters, ${sets} sets, ${equal} equal, ${out} left out; ` +
      `${validates ? "validates" : `refused: ${refusal}`}; ${objects} objects, ${gone.length} would go, ${changed.length} change, ${dark.length} not judged`,
    ...[...leftOut].map(([reason, count]) => `    left out ${count}: ${reason}`),
    ...(unbuilt > 0 ? [`    ${unbuilt} folders do not build`] : []),
    ...some("would go", gone),
    ...some("changes", changed),
    ...some("not judged", dark),
  ];
}

function some(what: string, all: readonly string[]): string[] {
  const shown = all.slice(0, 5).map((each) => `    ${what}: ${each}`);
  return all.length > 5 ? [...shown, `    and ${all.length - 5} more`] : shown;
}
