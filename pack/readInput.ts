import { basename } from "node:path";
import { fetchText, readText, sha256Of } from "../install/index.ts";
import { isLoopback, mayHoldCredentials } from "../values/repositoryUrl.ts";
import { type Manifests, readManifests } from "./manifests.ts";

/** What `--manifests` takes: a file, or a URL with what it has to hold. */
type Place =
  | { readonly file: string }
  | { readonly url: string; readonly sha256: string | undefined }
  | { readonly fault: string };

/** Manifests from where `--manifests` says; else all that is wrong, each a sentence that names the place. */
export async function readInput(
  text: string,
  send: typeof fetch = fetch,
): Promise<Manifests | { readonly faults: readonly string[] }> {
  const place = placeOf(text);
  if ("fault" in place) return { faults: [place.fault] };
  const name = "file" in place ? basename(place.file) : basename(new URL(place.url).pathname);
  const source = "file" in place ? await fromFile(place.file) : await fetched(place, name, send);
  if (typeof source !== "string") return { faults: [source.fault] };
  const read = readManifests(name, source);
  return "faults" in read ? { faults: read.faults.map((fault) => `${name}: ${fault}.`) } : read;
}

function placeOf(text: string): Place {
  if (!/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(text)) return { file: text };
  const [url = "", sum] = text.split("#sha256=");
  if (mayHoldCredentials(url))
    return { fault: "--manifests has a URL with credentials; write one without, or a file." };
  if (!URL.canParse(url) || !(url.startsWith("https://") || (url.startsWith("http://") && isLoopback(url))))
    return { fault: "--manifests takes a file, or a URL that begins with https://." };
  if (sum !== undefined && !/^[0-9a-f]{64}$/.test(sum))
    return { fault: `${url}: what follows #sha256= is not a checksum; write 64 hexadecimal digits.` };
  return { url, sha256: sum };
}

async function fromFile(file: string): Promise<string | { readonly fault: string }> {
  const text = await readText(file);
  return typeof text === "string"
    ? text
    : { fault: `${file} cannot be read (${text.why}); name a file of manifests.` };
}

async function fetched(
  { url, sha256: wanted }: { readonly url: string; readonly sha256: string | undefined },
  name: string,
  send: typeof fetch,
): Promise<string | { readonly fault: string }> {
  const text = await fetchText(url, { fetch: send });
  if (typeof text !== "string") return { fault: `${url} ${text.fault}.` };
  const sha256 = sha256Of(text);
  if (wanted === undefined)
    return {
      fault: `${url} may hold something else tomorrow. Look at what it holds, then write it with its checksum: --manifests '${url}#sha256=${sha256}'`,
    };
  if (wanted !== sha256)
    return {
      fault: `${name}: ${url} has the checksum ${sha256} now; look at what changed in it, then write that.`,
    };
  return text;
}
