import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { FluxManifestsPlace } from "../fleet/model.ts";
import { realPath } from "../disk/realPath.ts";
import { isManifestsUrl } from "../fleet/schema/install.ts";
import { type FluxManifests, readManifests } from "./manifests.ts";
import { keepManifests, keptManifests, sha256Of } from "./manifestsCache.ts";
import { readText } from "./readText.ts";

/** The world that manifests come from. */
export interface ManifestsWorld {
  readonly env: NodeJS.ProcessEnv;
  readonly fetch?: typeof fetch;
}

/** Which field of the fleet file is at fault, and how: to follow its name. */
export interface ManifestsFault {
  readonly field: "manifests" | "manifestsSha256";
  readonly message: string;
}

/** Manifests of Flux that the fleet file names, or everything that is wrong with them. Kept for the provider to install. */
export async function loadManifests(
  { manifests: place, sha256: pinned }: FluxManifestsPlace,
  fleetFile: string,
  world: ManifestsWorld,
): Promise<FluxManifests | { readonly faults: readonly ManifestsFault[] }> {
  const isUrl = isManifestsUrl(place);
  const kept = isUrl && pinned !== undefined ? await keptManifests(pinned, world.env) : undefined;
  if (kept !== undefined) return kept;
  const text = isUrl ? await fetchText(place, world) : await fromFile(place, fleetFile);
  if (typeof text !== "string") return { faults: [{ field: "manifests", message: text.fault }] };
  const sha256 = sha256Of(text);
  if (pinned === undefined && isUrl)
    return {
      faults: [
        {
          field: "manifests",
          message: `is a URL, which may hold something else tomorrow. Look at what it holds, then write beside it manifestsSha256: ${sha256}`,
        },
      ],
    };
  if (pinned !== undefined && pinned !== sha256)
    return {
      faults: [
        {
          field: "manifestsSha256",
          message: `is not the checksum of the manifests, which is ${sha256}; look at what changed in them, then write that`,
        },
      ],
    };
  return keptRead(place, text, sha256, world);
}

async function keptRead(place: string, text: string, sha256: string, { env }: ManifestsWorld) {
  const known = await keptManifests(sha256, env);
  if (known !== undefined) return known;
  const read = readManifests(text, sha256);
  if ("faults" in read)
    return {
      faults: read.faults.map((fault) => ({
        field: "manifests" as const,
        message: `names ${place}, which ${fault}`,
      })),
    };
  await keepManifests(read, env);
  return read;
}

/** Longer than any of Flux's, and short enough to be read. */
const longest = 4 << 20;

/** What a URL holds; or why nobody can say, to follow the URL. */
export async function fetchText(
  url: string,
  { fetch: send = fetch }: Pick<ManifestsWorld, "fetch">,
): Promise<string | { readonly fault: string }> {
  try {
    const answer = await send(url, { signal: AbortSignal.timeout(60_000) });
    if (!answer.ok)
      return { fault: `cannot be fetched (HTTP ${answer.status}); correct the URL, or write a file` };
    const text = await answer.text();
    return text.length > longest ? { fault: `holds more than ${longest >> 20} MiB` } : text;
  } catch (error) {
    const { name, cause } = error as Error & {
      readonly cause?: { readonly code?: string; readonly message?: string };
    };
    return {
      fault: `cannot be fetched (${cause?.code ?? cause?.message ?? name}); try again, or write a file`,
    };
  }
}

/** Whoever proposes a change to the fleet file could have a runner read its other files, so those are left alone. */
async function fromFile(place: string, fleetFile: string) {
  const folder = realPath(dirname(fleetFile));
  const way = relative(folder, realPath(resolve(folder, place)));
  if (isAbsolute(place) || isAbsolute(way) || way.split(sep)[0] === "..")
    return { fault: "leads out of the folder of the fleet file; copy the file there, and write its path" };
  const text = await readText(resolve(folder, place));
  if (typeof text === "string") return text;
  return {
    fault: text.isAbsent
      ? "does not exist; write there what `flux install --export` prints"
      : `cannot be read (${text.why})`,
  };
}
