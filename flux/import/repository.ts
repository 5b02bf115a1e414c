import { cloneUrl } from "../../values/repositoryUrl.ts";
import type { NotTaken } from "./notTaken.ts";
import type { ImportedSet } from "./setEntry.ts";
import type { ImportedSource } from "./sourceEntry.ts";

/** What the fleet file says of the repository and of the two objects that Arcflux makes itself. */
export interface ImportedRepository {
  /** Name of the GitRepository that Arcflux makes: none of those that the folder has, which go on meanwhile. */
  readonly config: string;
  readonly url: string;
  readonly branch: string | undefined;
  readonly access: "public" | "token" | "ssh";
  readonly bootstrap: Readonly<Record<string, unknown>> | undefined;
}

/** What `flux bootstrap` calls the GitRepository and the Kustomization that it makes. */
export const bootstrapName = "flux-system";

/** What a fleet file calls them without saying so. */
export const defaultConfig = "edge-config";

/** A name for what Arcflux makes that nothing of the folder has. */
export function freeConfig(isTaken: (name: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? defaultConfig : `${defaultConfig}-${count}`;
    if (!isTaken(name) && !isTaken(`${name}-bootstrap`)) return name;
  }
}

const placeholder = "https://git.example.com/edge/fleet.git";
const bootstrapFields = ["interval", "retryInterval", "timeout", "prune", "wait", "force"] as const;
/** What Arcflux says of its own GitRepository. */
const ownFields: ReadonlySet<string> = new Set(["url", "ref", "secretRef"]);

/** Reads the objects that bring the folder to the cluster, which Arcflux makes itself, and notes what differs. */
export function repositoryOf(
  own: { readonly source: ImportedSource; readonly file: string } | undefined,
  bootstrap: { readonly set: ImportedSet; readonly file: string } | undefined,
  config: string,
  url: string | undefined,
  notTaken: NotTaken[],
): ImportedRepository {
  const spec = own?.source.spec ?? {};
  const stated = typeof spec["url"] === "string" ? cloneUrl(spec["url"]) : undefined;
  const found = stated !== undefined && !hasCredentials(stated) ? stated : undefined;
  const ref = (spec["ref"] ?? {}) as Readonly<Record<string, unknown>>;
  if (own !== undefined) {
    const note = (path: string, reason: string): void =>
      void notTaken.push({ file: own.file, path: `GitRepository ${own.source.name}: ${path}`, reason });
    if (found === undefined) note("spec.url", "has credentials in it; write the URL without them");
    for (const name of Object.keys(spec).filter((key) => !ownFields.has(key)))
      note(`spec.${name}`, "is Arcflux's own in the GitRepository that it makes of `repository`");
    for (const name of Object.keys(ref).filter((key) => key !== "branch"))
      note(`spec.ref.${name}`, "has no place in `repository`, which follows a branch");
    if (spec["secretRef"] !== undefined)
      note("spec.secretRef", "is made anew from the credentials in the stack's config");
  } else if (url === undefined) {
    notTaken.push({
      file: "",
      path: "repository.url",
      reason: `stands in no file of the folder; write it in the place of ${placeholder}`,
    });
  }
  return {
    config,
    url: url ?? found ?? placeholder,
    branch: typeof ref["branch"] === "string" ? ref["branch"] : undefined,
    access: spec["secretRef"] === undefined ? "public" : found?.startsWith("http") ? "token" : "ssh",
    bootstrap: bootstrap && bootstrapOf(bootstrap.set, bootstrap.file, config, notTaken),
  };
}

function bootstrapOf(
  set: ImportedSet,
  file: string,
  config: string,
  notTaken: NotTaken[],
): Record<string, unknown> {
  notTaken.push({
    file,
    path: `Kustomization ${set.name}`,
    reason: `is the bootstrap: Arcflux makes one called ${config}-bootstrap, which applies the flux folder only`,
  });
  return Object.fromEntries(
    bootstrapFields.filter((name) => set.fields[name] !== undefined).map((name) => [name, set.fields[name]]),
  );
}

function hasCredentials(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed !== null && (parsed.password !== "" || (parsed.username !== "" && parsed.protocol !== "ssh:"))
  );
}
