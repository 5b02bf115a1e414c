import { z } from "zod";
import { faultless, text } from "../values.ts";
import { isLoopback, mayHoldCredentials } from "../../values/repositoryUrl.ts";
import { part } from "./fields.ts";

const sha256 = { pattern: /^[0-9a-f]{64}$/, allowed: "a SHA-256 checksum has 64 hexadecimal digits" };

/** Whether manifests are fetched, and not read from a file beside the fleet file. */
export function isManifestsUrl(place: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]+:/.test(place);
}

function manifestsFault(place: string): string | undefined {
  if (place.trim() === "") return "is empty; write a file beside the fleet file, or an https:// URL";
  if (!isManifestsUrl(place)) return undefined;
  if (mayHoldCredentials(place)) return "has credentials in it; write a URL that needs none, or a file";
  return /^https:\/\//.test(place) || (place.startsWith("http://") && isLoopback(place))
    ? undefined
    : "is not an https:// URL; write one, or a file beside the fleet file";
}

/** How Flux gets to clusters without Azure; the same keys for the fleet and for each layer. */
export const installFields = {
  install: part(
    z.boolean(),
    "platform kubernetes: whether Arcflux installs Flux itself, upgrades it and takes it off again. Default: false.",
  ),
  sync: part(
    z.enum(["update", "self"]),
    "platform kubernetes: who brings Flux and its first objects. self: the cluster itself, by what `arcflux components` writes into the repository; no update reaches it. Default: update.",
  ),
  manifests: part(
    faultless(manifestsFault, { echo: false }),
    "What `flux install --export` prints: a file, from the folder of the fleet file, or an https:// URL.",
    "flux/gotk-components.yaml",
  ),
  manifestsSha256: part(
    text(sha256),
    "SHA-256 checksum of the manifests. A URL needs one; a file that has one must match it.",
  ),
};
