import { withCommonMetadata } from "./commonMetadata.ts";
import type { Engine } from "./engine.ts";
import type { BuildFault, Built, BuiltObject, Substitution } from "./types.ts";

const noFiles = { folders: new Map(), files: new Map() } as const;

/**
 * Puts variables into what was built, as Flux does: into the text of each object, which is then read again. Objects
 * without a dollar stay as they are.
 */
export async function substituted(
  engine: Engine,
  built: Built,
  { variables, strict, always = false }: Substitution,
): Promise<Built | BuildFault> {
  if (Object.keys(variables).length === 0 && !always) return built;
  const texts = built.objects.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length === 0) return built;
  const answer = await engine.call({
    request: { substitute: { texts, variables, strict, always } },
    ...noFiles,
  });
  if ("lost" in answer) return { kind: "fault", message: `variables could not be put in (${answer.lost})` };
  const { error, objects: answered = [] } = answer.response;
  if (error !== undefined) return { kind: "fault", message: error };
  let next = 0;
  const objects = built.objects.map((each): BuiltObject => {
    const fresh = each.text === undefined ? undefined : answered[next++];
    return fresh === undefined ? each : { object: fresh.json, file: each.file };
  });
  const spec = built.commonMetadata === undefined ? {} : { commonMetadata: built.commonMetadata };
  return withCommonMetadata({ ...built, objects }, spec);
}
