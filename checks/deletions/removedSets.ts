import type { Leaving } from "../../judge/index.ts";
import { showNames } from "../../values/show.ts";
import type { Remark } from "./deletion.ts";
import type { GoingSet } from "./goingSets.ts";

type Said = Pick<Remark, "text" | "ways" | "firm">;

/** What is said of sets that a cluster loses; those that leave what they applied are another matter (keptSets.ts). */
export function remarksOn(
  going: readonly GoingSet[],
  cluster: string,
  leaving: ReadonlyMap<string, Leaving>,
): Remark[] {
  const said = going.flatMap((set) => remarkOf(set, leaving.get(set.name)));
  return [...said, ...together(going)].map(({ sets, ...said }) => ({
    ...said,
    cluster,
    going: sets.map((name) => ({ kind: "set", name })),
  }));
}

function remarkOf(set: GoingSet, leaving?: Leaving): (Said & { readonly sets: readonly string[] })[] {
  switch (set.end) {
    case "leaves":
      return [];
    case "deletes":
      return [
        { sets: [set.name], ...deleted(set, leaving) },
        ...(leaving === undefined || leaving.needed.length === 0
          ? []
          : [{ sets: [set.name], ...neededByOthers(showNames(leaving.needed, 3)) }]),
      ];
  }
}

function deleted({ because, renamedTo, window }: GoingSet, leaving?: Leaving): Said {
  if (renamedTo !== undefined) {
    return {
      text:
        `looks renamed to ${renamedTo}, which applies the same. Flux knows a set by its name alone: with ${because} it ` +
        `deletes all that the old one applied and ${renamedTo} has not taken over by then`,
      ways:
        `To rename without deletion, keep the old name, commit \`deletionPolicy: Orphan\` for it, let the cluster ` +
        "take that, and rename it then",
    };
  }
  const ways = because === "prune: true" ? "`prune: false`, or suspend it" : "suspend it";
  return {
    text:
      `goes away with ${because}, so Flux deletes everything that it applied on the cluster` +
      `${atOpening(window)}${whatGoes(leaving)}`,
    ways:
      `To keep that, first commit \`deletionPolicy: Orphan\` for the set (or ${ways}), let the cluster take that, and ` +
      "remove the set then",
  };
}

function whatGoes({ goes, unseen }: Partial<Leaving> = {}): string {
  if (goes !== undefined) return `: ${goes}`;
  return unseen === undefined ? "" : `; which objects that are could not be seen (${unseen})`;
}

/** Flux asks nobody else before it deletes. */
function neededByOthers(why: string): Said {
  return {
    text: `goes away, and Flux deletes what others need: ${why}`,
    ways: "First annotate it with kustomize.toolkit.fluxcd.io/prune: disabled, let the cluster apply that, and remove the set then",
    firm: true,
  };
}

function atOpening(window: string | undefined): string {
  return window === undefined ? "" : ` at the next opening of window ${window}`;
}

/** Sets that go away together although one needs the other until it is gone. */
function together(going: readonly GoingSet[]): ReturnType<typeof remarkOf> {
  const deleting = going.filter(({ end }) => end === "deletes");
  return deleting.flatMap(({ name, dependsOn }) =>
    deleting
      .filter((needed) => dependsOn.includes(needed.name))
      .map((needed) => ({
        sets: [needed.name, name],
        text:
          `go away together, and ${name} depends on ${needed.name}. Flux deletes both at once, in no order, so what ${name} ` +
          `applied may wait for ever for finalizers that ${needed.name} ran`,
        ways: `Remove ${name} first, and ${needed.name} in a later update, when the cluster has deleted the first`,
      })),
  );
}
