import type { Leaving } from "../../judge/index.ts";
import { tenantOf } from "../../fleet/resolveTenants.ts";
import { showNames } from "../../values/show.ts";
import type { Deletion, Remark } from "./deletion.ts";
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
    going: sets.map(goingOf),
  }));
}

/** The Kustomization of a tenant goes like a set, and is confirmed as the tenant. */
function goingOf(object: string): Deletion {
  const tenant = tenantOf(object);
  return tenant === undefined ? { kind: "set", name: object } : { kind: "tenant", name: tenant };
}

function remarkOf(set: GoingSet, leaving?: Leaving): (Said & { readonly sets: readonly string[] })[] {
  switch (set.end) {
    case "leaves":
      return [];
    case "deletes":
      return [
        { sets: [set.name], ...(isTenant(set) ? deletedTenant(leaving) : deleted(set, leaving)) },
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

function isTenant({ name }: Pick<GoingSet, "name">): boolean {
  return tenantOf(name) !== undefined;
}

function deletedTenant(leaving?: Leaving): Said {
  return {
    text: `goes away, so Flux deletes its namespaces with everything in them${whatGoes(leaving)}`,
    ways: "To keep them, put it back",
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
      .map((needed) => {
        if (isTenant(needed)) return withTenant(needed.name, name);
        return {
          sets: [needed.name, name],
          text:
            `go away together, and ${name} depends on ${needed.name}. Flux deletes both at once, in no order, so what ${name} ` +
            `applied may wait for ever for finalizers that ${needed.name} ran`,
          ways: `Remove ${name} first, and ${needed.name} in a later update, when the cluster has deleted the first`,
        };
      }),
  );
}

/** Flux deletes what a tenant's set applied as the tenant's account, which has to be there still. */
function withTenant(tenant: string, set: string): ReturnType<typeof remarkOf>[number] {
  return {
    sets: [tenant],
    text: `goes away together with its set ${set}, which Flux deletes as the tenant's account`,
    ways: `Put the tenant back, remove ${set} alone, and the tenant in a later update, when the cluster has deleted the set`,
    firm: true,
  };
}
