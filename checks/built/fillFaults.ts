import type { Builder, Built } from "../../build/index.ts";
import type { ClusterSet } from "../../fleet/model.ts";
import { substitutions } from "../../judge/index.ts";
import { fill, standIn, variablesOf } from "../applied/variablesOf.ts";

/** What Flux says where putting the variables of a set in leaves no Kubernetes object; undefined where it is well. */
export type FillFaults = (
  set: Pick<ClusterSet, "spec">,
  fluxVersion: string,
  built: Built,
) => Promise<string | undefined>;

/** A value that no place of a YAML text could take for anything but a value. */
const harmless = /^(\w[\w./@+-]*)?$/;

/** Asks the engine once for all clusters that put in the same, and only where a value may break the text around it. */
export function fillFaults(builder: Pick<Builder, "substitute">): FillFaults {
  const known = new Map<string, Promise<string | undefined>>();
  const ask = async (built: Built, how: NonNullable<ReturnType<typeof variablesOf>>) => {
    // What nothing defines, and what is no variable at all, is judged apart.
    const filled = await fill(builder, built, { ...how, strict: false });
    return filled.kind === "fault" ? filled.message : undefined;
  };
  return async ({ spec }, fluxVersion, built) => {
    const how = variablesOf(spec, fluxVersion, built);
    if (how === undefined || !mayBreak(built, how.variables)) return undefined;
    const key = JSON.stringify([built.key, how]);
    const found = known.get(key) ?? ask(built, how);
    known.set(key, found);
    return found;
  };
}

function mayBreak({ objects }: Built, variables: Readonly<Record<string, string>>): boolean {
  const texts = objects.flatMap(({ object, text }) =>
    text === undefined || object["sops"] !== undefined ? [] : [text],
  );
  if (texts.length === 0 || texts.some((text) => substitutions(text).faults.length > 0)) return false;
  const isOpen = texts.some((text) => /\$\{\w+[^\w}]/.test(text));
  return (
    isOpen ||
    Object.entries(variables).some(([name, value]) => !harmless.test(value) && value !== standIn(name))
  );
}
