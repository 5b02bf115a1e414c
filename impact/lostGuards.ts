import { isDeepStrictEqual } from "node:util";
import type { Fleet, Stage } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import type { LostGuard } from "./model.ts";
import type { Pair } from "./sides.ts";

/**
 * Words of the old fleet file that hold production and that the new one lacks or loosens. Such a change reaches no cluster,
 * and the next one would reach all unseen: so it counts as reaching production itself.
 */
export function lostGuards(before: Fleet, after: Fleet, pairs: readonly Pair[]): LostGuard[] {
  const guarded = new Map(before.stages.flatMap((stage) => (stage.production ? [[stage.name, stage]] : [])));
  const fresh = new Map(after.stages.map((stage) => [stage.name, stage]));
  const loosened = [...guarded.values()].flatMap((stage) => {
    const now = fresh.get(stage.name);
    return now === undefined ? [] : loosenedIn(stage, now);
  });
  const isGuarded = (name: string | undefined): boolean => fresh.get(name ?? "")?.production === true;
  const moved = pairs.filter(
    ({ before: was, after: is }) =>
      was !== undefined &&
      is !== undefined &&
      guarded.has(was.stage ?? "") &&
      was.stage !== is.stage &&
      !isGuarded(is.stage),
  );
  const names = showSome(moved.map(({ name }) => name));
  return [
    ...loosened,
    ...(moved.length === 0
      ? []
      : [{ guard: "clusters", message: `${names}: no longer of a stage with production: true` }]),
    ...(guarded.size === 0 ? [] : raisedLimit(before, after)),
  ];
}

function loosenedIn(old: Stage, fresh: Stage): LostGuard[] {
  const lost = old.checks.filter((check) => !fresh.checks.includes(check));
  const words: Readonly<Record<string, string | false>> = {
    production: !fresh.production && "true is gone",
    after:
      old.after !== undefined && old.after !== fresh.after && `${old.after} becomes ${shown(fresh.after)}`,
    soak: fresh.soak < old.soak && `${old.soak}s becomes ${fresh.soak}s`,
    checks: lost.length > 0 && `${lost.join(", ")} no longer asked`,
    approval:
      old.approval !== undefined && !isDeepStrictEqual(old.approval, fresh.approval) && "is not what it was",
  };
  return Object.entries(words).flatMap(([field, message]) =>
    message === false ? [] : [{ guard: `stages.${old.name}.${field}`, message }],
  );
}

function raisedLimit({ limits: old }: Fleet, { limits: fresh }: Fleet): LostGuard[] {
  const [was, is] = [old?.clustersPerUpdate, fresh?.clustersPerUpdate];
  if (was === undefined || (is !== undefined && is <= was)) return [];
  return [{ guard: "limits.clustersPerUpdate", message: `${was} becomes ${shown(is)}` }];
}

function shown(value: string | number | undefined): string {
  return value === undefined ? "none" : String(value);
}
