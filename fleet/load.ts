import { checkAccess } from "./checks/access.ts";
import { checkAlerts } from "./checks/alerts.ts";
import { checkApps } from "./checks/apps.ts";
import { checkAzure } from "./checks/azure.ts";
import { checkClusterFolders } from "./checks/clusterFolders.ts";
import { checkDeclaredSecrets } from "./checks/declaredSecrets.ts";
import { checkDependencies } from "./checks/dependencies.ts";
import { checkExtension } from "./checks/extension.ts";
import { checkExpressions } from "./checks/expressions.ts";
import { checkExpiry } from "./checks/expiry.ts";
import { checkFolders } from "./checks/folders.ts";
import { checkFreezes } from "./checks/freezes.ts";
import { checkForeign } from "./checks/foreign.ts";
import { checkHealthChecks } from "./checks/healthChecks.ts";
import { checkIgnored } from "./checks/ignored.ts";
import { checkInstall } from "./checks/install.ts";
import { checkDevices } from "./checks/devices.ts";
import { checkIdle } from "./checks/idle.ts";
import { checkKubeconfigs } from "./checks/kubeconfigs.ts";
import { checkLayers } from "./checks/layers.ts";
import { checkLockdown } from "./checks/lockdown.ts";
import { checkManagement } from "./checks/management.ts";
import { checkSetNamespaces } from "./checks/setNamespaces.ts";
import { checkMisspelt } from "./checks/misspelt.ts";
import { checkNames } from "./checks/names.ts";
import { checkOpenings } from "./checks/openings.ts";
import { checkOptOuts } from "./checks/optOuts.ts";
import { checkPaths } from "./checks/paths.ts";
import { checkPins } from "./checks/pins.ts";
import { checkReadiness } from "./checks/readiness.ts";
import { checkReferences } from "./checks/references.ts";
import { checkRemoved } from "./checks/removed.ts";
import { checkRemoteSets } from "./checks/remoteSets.ts";
import { checkRings } from "./checks/rings.ts";
import { checkSecrets } from "./checks/secrets.ts";
import { checkStalls } from "./checks/stalls.ts";
import { checkStructure } from "./checks/structure.ts";
import { checkSuspensions } from "./checks/suspensions.ts";
import { checkTenants } from "./checks/tenants.ts";
import { checkTiming } from "./checks/timing.ts";
import { checkUniform } from "./checks/uniform.ts";
import { checkUnused } from "./checks/unused.ts";
import { checkWithoutFlux } from "./checks/withoutFlux.ts";
import { checkWindows } from "./checks/windows.ts";
import { checkWindowSources } from "./checks/windowSources.ts";
import type { Check } from "./checks/report.ts";
import { readDocuments, type Documents, type Include } from "./documents.ts";
import { formatPath, inOrder, sorted, type Finding, type Path } from "./finding.ts";
import type { Fleet } from "./model.ts";
import { originIn } from "./origin.ts";
import { resolveFleet, type Resolved } from "./resolve.ts";
import { cloneUrl, mayHoldCredentials, urlFault } from "../values/repositoryUrl.ts";
import type { FleetFile } from "./schema.ts";
import { checkShape } from "./shape.ts";
import type { ValidateSpec } from "./structure.ts";

/** What the environment or the stack says instead of the fleet file. */
export interface Overrides {
  /** Takes the place of `repository.url` before anything is checked. */
  readonly repositoryUrl?: string;
  /** Where that is set, for messages: `stack config arcflux:repositoryUrl`. */
  readonly repositoryUrlFrom?: string;
}

/** What loading takes from the world around it; all of it may be left out. */
export interface LoadOptions extends Overrides {
  /** Finds the files of one pattern of `include`. */
  readonly include?: Include;
  /** Today as YYYY-MM-DD; without it no `until` is past and no freeze holds. */
  readonly today?: string;
  /** Checks the spec of a Flux object against Flux's own schema: `validateSpec` of flux/crd. */
  readonly validateSpec?: ValidateSpec;
  /** Names that `ignore` may hold: those of the judgements, which fleet/ does not know. */
  readonly judgements?: readonly string[];
  /** Gives every finding, for programs; people get once what holds alike for many clusters. */
  readonly everyFinding?: boolean;
}

/** A fleet, unless there are errors; and every finding, sorted by position. */
export interface Loaded {
  readonly fleet: Fleet | undefined;
  readonly findings: readonly Finding[];
  /**
   * Makes a finding at a path of the fleet file or of the resolved fleet: `clusters.<name>.sets.<set>.<field>` stands at
   * the layer that the field comes from, be it a shared set in an included file.
   */
  readonly finding: Documents["finding"];
  /** What the fleet was made from, for explain.ts; undefined where there is no fleet. */
  readonly origin: Origin | undefined;
}

/** The fleet file as it was read and merged. */
export interface Origin extends Resolved {
  readonly file: FleetFile;
  readonly documents: Documents;
}

/** What takes more than one value to see, but nothing from a part of the file that may be missing. */
const localChecks: readonly Check[] = [checkNames, checkPins, checkAccess, checkSecrets];

/** Everything else that takes more than one value to see; with a part of the file missing, it would report that. */
const checks: readonly Check[] = [
  checkReferences,
  checkLayers,
  checkRings,
  checkManagement,
  checkOptOuts,
  checkMisspelt,
  checkRemoved,
  checkIgnored,
  checkFolders,
  checkClusterFolders,
  checkAzure,
  checkExtension,
  checkInstall,
  checkDevices,
  checkKubeconfigs,
  checkDependencies,
  checkStalls,
  checkLockdown,
  checkRemoteSets,
  checkSetNamespaces,
  checkTenants,
  checkPaths,
  checkTiming,
  checkReadiness,
  checkHealthChecks,
  checkExpressions,
  checkSuspensions,
  checkIdle,
  checkWindows,
  checkWindowSources,
  checkFreezes,
  checkOpenings,
  checkExpiry,
  checkAlerts,
  checkApps,
  checkDeclaredSecrets,
  checkUniform,
  checkWithoutFlux,
  checkStructure,
];

/** What is worth a thought once nothing is wrong: with an error, much of it would only follow from that. */
const advice: readonly Check[] = [checkUnused, checkForeign];

/** Loads a fleet file from its text. `file` is its name in findings. Never throws for what the text says. */
export function loadFleet(text: string, file: string, options: LoadOptions = {}): Loaded {
  const documents = readDocuments(text, file, options.include);
  if (documents.data === undefined)
    return {
      fleet: undefined,
      findings: inOrder(documents.findings),
      finding: documents.finding,
      origin: undefined,
    };

  const data = withOverrides(documents.data, options);
  const shape = checkShape(data, documents);
  const findings = [...documents.findings, ...shape.findings.map((finding) => withOrigin(finding, options))];
  findings.push(...blanks(documents), ...committedCredentials(documents, options));
  let origin: Origin | undefined;
  if (shape.file) {
    const faults = new Set(shape.findings.map(({ path }) => path));
    origin = { ...resolveFleet(shape.file, options.today), file: shape.file, documents };
    const add = (severity: Finding["severity"]) => (path: Path, message: string, at?: "key" | "value") => {
      // A value that was left out since it is faulty would be reported once more, as missing.
      if (!isCovered(path, faults)) findings.push(documents.finding(severity, path, message, at));
    };
    const checked = { ...origin, options, data, report: add("error"), warn: add("warning") };
    for (const check of documents.complete ? [...localChecks, ...checks] : localChecks) check(checked);
    if (documents.complete && !hasErrors(findings)) for (const check of advice) check(checked);
  }
  const sound = hasErrors(findings) ? undefined : origin;
  return {
    fleet: sound && managed(sound.fleet),
    findings: options.everyFinding === true ? sorted(findings) : inOrder(findings),
    finding: (severity, path, message, at) =>
      documents.finding(severity, (sound && originIn(sound, path)) ?? path, message, at),
    origin: sound,
  };
}

/** The fleet with clusters that have no Flux apart: checked they are like all others. */
function managed(fleet: Fleet): Fleet {
  const isWithout = ({ platform }: Fleet["clusters"][number]): boolean => platform === "none";
  return {
    ...fleet,
    clusters: fleet.clusters.filter((cluster) => !isWithout(cluster)),
    withoutFlux: fleet.clusters.filter(isWithout),
  };
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

/** `pos:` with nothing after it is null, and null takes something away: hardly what was meant. */
function blanks({ blanks, finding }: Documents): Finding[] {
  return blanks.flatMap((path) => {
    const at = path.indexOf("sets");
    const inDefaults = path.at(-2) === "defaults";
    if (path.length === 4 && (path[2] === "sets" || path[2] === "apps")) {
      const what = path[2] === "sets" ? "set" : "app";
      return finding(
        "warning",
        path,
        `is empty, which opts out of the ${what}; write {} to take it, or null to opt out`,
        "key",
      );
    }
    if (inDefaults || (at >= 0 && path.length === at + 3))
      return finding(
        "warning",
        path,
        "is empty, which takes an inherited value away; write null for that",
        "key",
      );
    return [];
  });
}

/** Whether a fault is known at a path or above it. */
function isCovered(path: Path, faults: ReadonlySet<string>): boolean {
  return faults.size > 0 && path.some((_, index) => faults.has(formatPath(path.slice(0, index + 1))));
}

function withOrigin(finding: Finding, { repositoryUrl, repositoryUrlFrom }: Overrides): Finding {
  if (repositoryUrl === undefined || finding.path !== "repository.url") return finding;
  const where = repositoryUrlFrom === undefined ? "" : `: ${repositoryUrlFrom}`;
  return {
    ...finding,
    message: `${finding.message} (this URL overrides the file's; correct it where it is set${where})`,
  };
}

/** Another URL may take the place of the file's own, but the file is committed with what stands in it. */
function committedCredentials(
  { data, finding }: Documents,
  { repositoryUrl, repositoryUrlFrom = "another URL" }: Overrides,
): Finding[] {
  const { url } = (data as { repository?: { url?: unknown } | null } | null)?.repository ?? {};
  if (repositoryUrl === undefined || typeof url !== "string" || !mayHoldCredentials(cloneUrl(url))) return [];
  const message = `${urlFault(url)} (${repositoryUrlFrom} overrides it, but this file is committed with it)`;
  return [finding("error", ["repository", "url"], message)];
}

function withOverrides(data: unknown, { repositoryUrl }: Overrides): unknown {
  if (repositoryUrl === undefined || typeof data !== "object" || data === null || Array.isArray(data))
    return data;
  const repository = (data as { repository?: unknown }).repository ?? {};
  if (typeof repository !== "object" || Array.isArray(repository)) return data;
  return { ...data, repository: { ...repository, url: repositoryUrl } };
}
