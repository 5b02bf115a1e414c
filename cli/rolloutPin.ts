import type { FleetFile } from "../fleet/schema.ts";
import { pinKeys } from "../fleet/checks/pins.ts";
import type { Fleet, PlainMap } from "../fleet/model.ts";
import { type PinnedRing, type PinStep, isSameRef, pinStep } from "../stages/index.ts";
import { durationSeconds } from "../values/duration.ts";
import { printable, show, showNames } from "../values/show.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { stageWorld } from "./stageWorld.ts";
import { scalar } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";
import { type WrittenPin, writePins } from "./writePins.ts";

export interface PinOptions {
  readonly file: string;
  readonly stage?: string;
  readonly back?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `arcflux rollout SOURCE REF`: 0 set, waiting or done; 1 where too many clusters of a ring fail. */
export function rolloutPin(
  source: string,
  text: string | undefined,
  { file, json = false, dryRun = false, back = false, stage: asked }: PinOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { state: null }, async (loaded) => {
    const { fleet, origin } = loaded;
    if (origin === undefined) throw new UsageError("The fleet file could not be read.");
    const stage = stageFor(asked, origin.file);
    const rings = ringsFor(stage, source, origin.file);
    if (back) return takeBack(loaded, { file, stage, source, rings, dryRun }, terminal);
    if (text === undefined)
      throw new UsageError(`Say what ${source} is pinned to, such as v1.5.0; or --back.`);
    const ref = refOf(text, source, origin.file);
    const step = await pinStep(fleet, rings, { stage, source, ref }, stageWorld(fleet));
    if (step.state === "sets" && !dryRun)
      await writePins(file, loaded, [pinOf(stage, step.index, source, ref)]);
    return {
      document: { stage, source, ref, ring: rings[step.index]?.name ?? null, ...step },
      print: () =>
        terminal.out(`${printable(stepText(step, { fleet, stage, source, text, rings, dryRun }))}\n`),
      code: step.state === "failed" ? exitCodes.failed : exitCodes.done,
    };
  });
}

function stageFor(asked: string | undefined, { stages }: FleetFile): string {
  const ringed = Object.entries(stages).flatMap(([name, { rings }]) => (rings === undefined ? [] : [name]));
  if (asked !== undefined && ringed.includes(asked)) return asked;
  const [only, ...others] = ringed;
  if (asked === undefined && only !== undefined && others.length === 0) return only;
  throw new UsageError(
    ringed.length === 0
      ? "No stage of the fleet file has rings. Write stages.<stage>.rings."
      : `Say which stage with rings: --stage ${ringed.join(" or --stage ")}.`,
  );
}

/** A ring with the pin that it says itself, or that its stage says for all rings. */
interface Ring extends PinnedRing {
  readonly isOwn: boolean;
}

function ringsFor(stage: string, source: string, file: FleetFile): readonly Ring[] {
  if (!Object.hasOwn(file.sources, source))
    throw new UsageError(
      `The fleet file has no source ${show(source)}. Its sources: ${showNames(Object.keys(file.sources)) || "none"}.`,
    );
  const { rings = [], pins: ofStage = {} } = file.stages[stage] ?? {};
  return rings.map(({ name, soak, pins = {} }) => ({
    name,
    soak: soak === undefined ? 0 : durationSeconds(soak),
    pin: pins[source] ?? ofStage[source],
    isOwn: pins[source] !== undefined,
  }));
}

/** `v1.5.0` is a tag; `semver=1.x` and the like name another key. */
function refOf(text: string, source: string, { sources }: FleetFile): PlainMap {
  const kind = sources[source]?.kind ?? "GitRepository";
  if (kind === "Bucket") throw new UsageError(`${source} is a Bucket, which has no versions to pin.`);
  const [, key = "tag", value = text] = /^([a-zA-Z]+)=(.*)$/.exec(text) ?? [];
  const known: readonly string[] = pinKeys[kind];
  if (!known.includes(key))
    throw new UsageError(
      `${show(text)} pins nothing of ${source}. Write a tag, or KEY=VALUE with ${showNames(known)}.`,
    );
  return { [key]: value };
}

function pinOf(stage: string, index: number, source: string, ref: PlainMap): WrittenPin {
  const value = Object.entries(ref).map(([key, each]) => `${key}: ${scalar(String(each as string))}`);
  return { path: ["stages", stage, "rings", index, "pins", source], value: `{ ${value.join(", ")} }` };
}

interface Back {
  readonly file: string;
  readonly stage: string;
  readonly source: string;
  readonly rings: readonly PinnedRing[];
  readonly dryRun: boolean;
}

/** Sets every ring that is ahead to what the last ring has, at once. */
async function takeBack(
  loaded: LoadedFleet,
  { file, stage, source, rings, dryRun }: Back,
  terminal: Terminal,
): Promise<Awaited<ReturnType<Parameters<typeof fleetCommand>[4]>>> {
  const last = rings.at(-1);
  const taking = loaded.fleet.clusters.filter(
    (cluster) => cluster.stage === stage && cluster.ring === last?.name,
  );
  const sources = taking.flatMap((cluster) => cluster.sources.filter(({ name }) => name === source));
  const ref = last?.pin ?? (sources[0]?.spec["ref"] as PlainMap | undefined);
  if (ref === undefined)
    throw new UsageError(
      `No cluster of ring ${last?.name ?? ""} takes ${source}, so nothing tells what to go back to. Name it: arcflux rollout ${source} REF.`,
    );
  const ahead = rings.flatMap(({ pin, name }, index) =>
    pin !== undefined && !isSameRef(pin, ref) ? [{ name, index }] : [],
  );
  const pins = ahead.map(({ index }) => pinOf(stage, index, source, ref));
  if (!dryRun) await writePins(file, loaded, pins);
  const names = ahead.map(({ name }) => name).join(", ");
  return {
    document: { stage, source, ref, back: ahead.map(({ name }) => name) },
    print: () =>
      terminal.out(
        ahead.length === 0
          ? `No ring of ${stage} is ahead with ${source}.\n`
          : printable(
              `${source} of ${names} ${dryRun ? "can be" : "is"} ${refText(ref)} again. ${dryRun ? "Nothing was changed." : goOn(loaded.fleet, stage)}`,
            ) + "\n",
      ),
  };
}

function refText(ref: PlainMap): string {
  return Object.entries(ref)
    .map(([key, value]) => `${key} ${String(value as string)}`)
    .join(", ");
}

/** What brings the fleet file to clusters. */
function goOn({ stages, repository }: Fleet, stage: string): string {
  const found = stages.find(({ name }) => name === stage);
  return found === undefined || found.branch === repository.branch
    ? "Run pulumi up."
    : `Run pulumi up, then promote first: arcflux promote ${stage}, and arcflux rollout next.`;
}

/** A roll-out ends with the same pin in every ring, which would stay there for ever. */
function writeUp(stage: string, source: string): string {
  return `To have it once: write it as stages.${stage}.pins.${source}, take it out of the rings, and see by arcflux diff that nothing changes.`;
}

interface Around {
  readonly fleet: Fleet;
  readonly stage: string;
  readonly source: string;
  readonly text: string;
  readonly rings: readonly Ring[];
  readonly dryRun: boolean;
}

function stepText(
  { state, index, text: seen }: PinStep,
  { fleet, stage, source, text, rings, dryRun }: Around,
): string {
  const ring = rings[index]?.name ?? "";
  const again = `Then again: arcflux rollout ${source} ${text}.`;
  switch (state) {
    case "sets":
      return dryRun
        ? `${source} of ring ${ring} can be ${text}. Nothing was changed.`
        : `${source} of ring ${ring} is ${text} in the fleet file. ${goOn(fleet, stage)} ${again}`;
    case "update":
      return `${source} ${text} of ring ${ring} is not committed: ${seen}. Run pulumi up. ${again}`;
    case "promote":
      return `${seen}: promote first. arcflux promote ${stage}, and arcflux rollout next. ${again}`;
    case "waits":
      return `Ring ${ring} waits: ${seen}`;
    case "failed":
      return `The roll-out of ${source} ${text} stopped at ring ${ring}: ${seen}. On, with a version that mends it: arcflux rollout ${source} REF. Back: arcflux rollout ${source} --back.`;
    case "done":
      return `Every ring of ${stage} has ${source} ${text}.${rings.some(({ isOwn }) => isOwn) ? ` ${writeUp(stage, source)}` : ""}`;
  }
}
