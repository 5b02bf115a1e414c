import { asList, asMap } from "../values/maps.ts";
import { cloneUrl, isLoopback, transport, urlFault } from "../values/repositoryUrl.ts";
import type { Matter, NotTaken } from "./notTaken.ts";
import type { ReadCluster } from "./readCluster.ts";
import type { Root } from "./roots.ts";

/** What the fleet file says of the repository. */
export interface ImportedRepository {
  readonly url: string;
  readonly branch: string | undefined;
  readonly access: "public" | "token" | "ssh";
}

/** What a fleet file calls the GitRepository and the bootstrap without saying so. */
export const defaultConfig = "edge-config";

/** A name for what Arcflux makes that nothing of the clusters has: what is there goes on meanwhile. */
export function freeConfig(isTaken: (name: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? defaultConfig : `${defaultConfig}-${count}`;
    if (!isTaken(name) && !isTaken(`${name}-bootstrap`)) return name;
  }
}

const placeholder = "https://git.example.com/edge/fleet.git";
/** What Arcflux says of its own GitRepository. */
const ownFields: ReadonlySet<string> = new Set(["url", "ref", "secretRef", "interval", "provider"]);

/**
 * The repository that a cluster follows today, by the source of its root. What has no place in a fleet file is noted.
 * Without a URL a placeholder stands there, and the note says so.
 */
export function repositoryOf(
  { root, follows, own, from }: Pick<ReadCluster, "root" | "follows" | "own" | "from">,
  url: string | undefined,
  notTaken: NotTaken[],
): ImportedRepository {
  const isGit = follows.kind === "GitRepository";
  const spec = own?.spec ?? (isGit ? root?.sourceSpec : undefined);
  const stated = typeof spec?.["url"] === "string" ? cloneUrl(spec["url"]) : undefined;
  const found = stated !== undefined && urlFault(stated) === undefined ? stated : undefined;
  const ref = (spec?.["ref"] ?? {}) as Readonly<Record<string, unknown>>;
  if (spec !== undefined) {
    const file = root?.file ?? (own && from.get(own)?.file) ?? "";
    const note = (path: string, reason: string, matter: Matter = "decide"): void =>
      void notTaken.push({ file, path: `GitRepository ${follows.name}: ${path}`, reason, matter });
    if (found === undefined) note("spec.url", hasCredentials(stated) ? unsafe : unknown);
    if (signsIn(spec)) note("spec.provider", identity);
    for (const name of Object.keys(spec).filter((key) => !ownFields.has(key)))
      note(
        `spec.${name}`,
        "has no place in `repository`, whose GitRepository Arcflux makes; see that you can go without",
      );
    for (const name of Object.keys(ref).filter((key) => key !== "branch"))
      note(`spec.ref.${name}`, "has no place in `repository`, which follows a branch");
    if (spec["secretRef"] !== undefined)
      note("spec.secretRef", "is made anew from the credentials in the stack's config", "know");
  } else if (url === undefined) {
    notTaken.push({
      file: "",
      path: "repository.url",
      reason: isGit
        ? `stands in no file of the folder; write it in the place of ${placeholder}`
        : `stands in no file: ${root?.label ?? "the cluster"} takes an artifact. Write the Git repository that it is made of in the place of ${placeholder}`,
      matter: "decide",
    });
  }
  const written = url ?? found ?? placeholder;
  const isPrivate = spec?.["secretRef"] !== undefined || signsIn(spec);
  const isPlain = isPrivate && transport(written) === "http" && !isLoopback(written);
  if (isPlain)
    notTaken.push({ file: root?.file ?? "", path: "repository.url", reason: plain, matter: "decide" });
  return {
    url: isPlain ? written.replace(/^http:/, "https:") : written,
    branch: typeof ref["branch"] === "string" ? ref["branch"] : undefined,
    access:
      transport(written) === "ssh" ? "ssh" : isPrivate && transport(written) !== "file" ? "token" : "public",
  };
}

const unsafe = "has credentials in it; write the URL without them";
const unknown = `is none that a fleet file takes; write it in the place of ${placeholder}`;
const plain =
  "is written with https, since a token does not go over plain HTTP; see that the host answers there, or write an SSH URL";
const identity =
  "signs in as the cluster's own identity, which `repository` cannot say; it is written as a private one: give the stack's config a token or key for it";

/** Whether Flux reads a repository as the identity of its cluster, so that it is not public though no Secret is named. */
function signsIn(spec: Readonly<Record<string, unknown>> | undefined): boolean {
  const provider = spec?.["provider"];
  return provider !== undefined && provider !== "generic";
}

const bootstrapFields = ["interval", "retryInterval", "timeout", "prune", "wait", "force"] as const;
/** Fields of a root that are in what it builds, and so in the sets as they are imported. */
const builtIn = [
  "patches",
  "images",
  "components",
  "namePrefix",
  "nameSuffix",
  "targetNamespace",
  "postBuild",
];
/** What a bootstrap has no field for, with what to do. */
const notOfBootstraps: Readonly<Record<string, string>> = {
  decryption: "the bootstrap decrypts nothing: put encrypted files into a set with `decryption`",
  serviceAccountName:
    "the bootstrap names none, so Flux applies it as itself, or with lockdown as its --default-service-account in " +
    "flux-system (flux-applier on Azure): let that account make Kustomizations first",
  dependsOn: "the bootstrap waits for nothing: write `dependsOn` on the sets",
  healthChecks: "write `healthChecks` on the set that brings what they name",
  healthCheckExprs: "write `healthCheckExprs` on the set that brings what they name",
  commonMetadata: "write `labels` and `annotations` on the sets",
  suspend: "is not taken: the new bootstrap applies the sets at once; suspend them first if they must wait",
  kubeConfig: "the bootstrap applies to its own cluster: write `kubeConfig` on the sets",
  deletionPolicy: "the bootstrap has the usual one, MirrorPrune",
};

const ofCluster =
  "only the cluster knows these values, and the bootstrap replaces none: sets that name one are left out until their files have the value";

/** Whether a root replaces variables by values that stand in no file of the repository. */
export function takesFromCluster(spec: Root["spec"]): boolean {
  return asList(asMap(spec["postBuild"])["substituteFrom"]).length > 0;
}

/** What of the root's own spec the fleet's `bootstrap` says; the rest is noted. */
export function bootstrapOf(
  { file, label, spec }: Root,
  config: string,
  notTaken: NotTaken[],
): Readonly<Record<string, unknown>> {
  const note = (path: string, reason: string, matter: Matter): void =>
    void notTaken.push({ file, path: path === "" ? label : `${label}: spec.${path}`, reason, matter });
  note(
    "",
    `is the root: Arcflux makes ${config}-bootstrap beside it, which applies the flux folder alone`,
    "know",
  );
  const isBuiltIn = (name: string): boolean =>
    name === "postBuild" ? asMap(spec[name])["substitute"] !== undefined : spec[name] !== undefined;
  for (const name of builtIn)
    if (isBuiltIn(name)) note(name, "stands in the sets as Flux builds them with it", "know");
  if (takesFromCluster(spec)) note("postBuild.substituteFrom", ofCluster, "decide");
  for (const [name, reason] of Object.entries(notOfBootstraps)) {
    const value = spec[name];
    if (value !== undefined && value !== false && value !== null) note(name, reason, "decide");
  }
  return Object.fromEntries(
    bootstrapFields.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]),
  );
}

function hasCredentials(url: string | undefined): boolean {
  const parsed = URL.parse(url ?? "");
  return (
    parsed !== null && (parsed.password !== "" || (parsed.username !== "" && parsed.protocol !== "ssh:"))
  );
}
