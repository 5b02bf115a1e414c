import { asMap } from "../values/maps.ts";
import type { Subject } from "./subject.ts";

/** What is equal for subjects of which a judgement says the same. */
export interface SubjectKeys {
  /** For whatever builds the same and says the same of itself, variables aside. */
  readonly key: string;
  /** The same where the variables are too. */
  readonly withVariables: string;
}

const known = new WeakMap<Subject, SubjectKeys>();

/** Made once for each subject, and only where it is judged. */
export function subjectKeys(subject: Subject): SubjectKeys {
  const found = known.get(subject) ?? keysOf(subject);
  known.set(subject, found);
  return found;
}

function keysOf({ cluster, set, content, absentComponents }: Subject): SubjectKeys {
  const { postBuild, ...spec } = set.spec;
  const { substitute = {}, ...rest } = asMap(postBuild);
  const { name, window, sourceRef } = set;
  const more = [cluster.flux.version, spec, rest, absentComponents, cluster.idle, cluster.manages];
  const key = JSON.stringify([content, name, window, sourceRef, ...more]);
  return { key, withVariables: `${key}\n${JSON.stringify(substitute)}` };
}
