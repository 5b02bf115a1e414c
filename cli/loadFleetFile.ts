import { readCheckedFleet } from "../checks/readCheckedFleet.ts";
import type { Unwritten } from "../fleet/readFleet.ts";
import type { Loaded } from "../fleet/load.ts";

/**
 * Loads a fleet file as the program does, with the URL that the environment may put in place of the file's, and with texts
 * that are not written yet.
 */
export function loadFleetFile(
  file: string,
  env: NodeJS.ProcessEnv = process.env,
  unwritten: Unwritten = {},
): Promise<Loaded> {
  const repositoryUrl = env["ARCFLUX_REPOSITORY_URL"];
  const repositoryUrlFrom = "ARCFLUX_REPOSITORY_URL in the environment";
  return readCheckedFleet(file, {
    ...(repositoryUrl && { repositoryUrl, repositoryUrlFrom }),
    ...unwritten,
  });
}
