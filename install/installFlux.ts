import {
  applyPlan,
  type ApplyWorld,
  type Entry,
  keyOf,
  readInventory,
  refOf,
  textOf,
} from "../apply/index.ts";
import type { ObjectApi } from "../status/index.ts";
import { showSome } from "../values/show.ts";
import { InstallError } from "./installError.ts";
import { objectsOfKinds } from "./inUse.ts";
import type { FluxManifests } from "./manifests.ts";
import { othersFlux } from "./others.ts";

/** Milliseconds until the controllers have to be there: their images come over the network. */
export const patience = 300_000;

/**
 * Installs Flux, or brings the one that `owner` installed to other manifests: namespaces and kinds first, the controllers
 * once the kinds are served, what the manifests have no more at the end. A run that was cut off goes on where it was.
 * Rejects with InstallError, before anything is changed where Flux is not the owner's or a kind in use would go.
 */
export async function installFlux(owner: string, manifests: FluxManifests, world: ApplyWorld): Promise<void> {
  const { api } = world;
  const { objects } = manifests;
  const others = await othersFlux(objects, owner, api);
  if (others !== undefined) throw new InstallError(others);
  const before = [...(await readInventory(api, owner)).values()].flat();
  await refuseKindsInUse(before, manifests, api);
  const controllers = objects.filter(({ kind }) => kind === "Deployment").map(refOf);
  const set = { name: "flux", dependsOn: [], objects, waitsFor: controllers, timeout: patience, prune: true };
  const plan = {
    cluster: owner,
    sets: [set],
    leftOut: new Map<string, string>(),
    hide: (text: string) => text,
  };
  const { sets } = await applyPlan(plan, world).catch((error: unknown) => {
    const { name, message } = error as Error;
    const why = name === "AbortError" ? "it was cancelled" : message;
    throw new InstallError(`Flux ${manifests.version} is not installed whole: ${why}. Run again.`, true);
  });
  const wrong = sets.filter(({ state }) => state !== "ready");
  if (wrong.length === 0) return;
  const isLate = wrong.every(({ state }) => state === "late");
  const what = isLate ? "is installed, and does not run yet" : "is not installed whole";
  throw new InstallError(
    `Flux ${manifests.version} ${what}: ${showSome(wrong.flatMap(({ why }) => why))}. Correct that and run again.`,
    true,
  );
}

async function refuseKindsInUse(
  before: readonly Entry[],
  { objects, version }: FluxManifests,
  api: ObjectApi,
): Promise<void> {
  const stays = new Set(objects.map((object) => keyOf(refOf(object))));
  const used = await objectsOfKinds(
    before.filter((entry) => entry.made && !stays.has(keyOf(entry))),
    api,
  );
  if (used.length > 0)
    throw new InstallError(
      `The manifests of Flux ${version} have no more the kinds of ${showSome(used.map((one) => textOf(refOf(one))))}, which would be deleted with them. Nothing was changed. Delete those first, or export the manifests with all components.`,
      true,
    );
}
