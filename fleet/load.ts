import { checkAccess } from "./checks/access.ts";
import { checkAzure } from "./checks/azure.ts";
import { checkDependencies } from "./checks/dependencies.ts";
import { checkFolders } from "./checks/folders.ts";
import { checkKubeconfigs } from "./checks/kubeconfigs.ts";
import { checkNames } from "./checks/names.ts";
import type { Check } from "./checks/report.ts";
import { formatPath, inOrder, type Finding, type Path } from "./finding.ts";
import type { Fleet } from "./model.ts";
import { resolveFleet } from "./resolve.ts";
import { isText } from "./schema.ts";
import { checkShape } from "./shape.ts";
import { parseSource, type Source } from "./source.ts";

/** What the environment or the stack says instead of the fleet file. */
export interface Overrides {
  /** Takes the place of `repository.url` before anything is checked. */
  readonly repositoryUrl?: string;
}

/** A fleet, unless there are errors; and every finding, sorted by position. */
export interface Loaded {
  readonly fleet: Fleet | undefined;
  readonly findings: readonly Finding[];
}

/** Everything that takes more than one value to see. */
const checks: readonly Check[] = [
  checkNames,
  checkAccess,
  checkFolders,
  checkAzure,
  checkKubeconfigs,
  checkDependencies,
];

/** Loads a fleet file from its text. `file` is its name in findings. Never throws for what the text says. */
export function loadFleet(text: string, file: string, overrides: Overrides = {}): Loaded {
  const source = parseSource(text, file, isText);
  if (source.data === undefined) return { fleet: undefined, findings: source.findings };

  const shape = checkShape(withOverrides(source.data, overrides), source);
  const findings = [...source.findings, ...shape.findings.map((finding) => withOrigin(finding, overrides))];
  findings.push(...blankSets(source));
  let fleet: Fleet | undefined;
  if (shape.file) {
    const faults = new Set(shape.findings.map(({ path }) => path));
    fleet = resolveFleet(shape.file);
    for (const check of checks) {
      check({
        file: shape.file,
        fleet,
        report: (path, message, at) => {
          // A value that was left out since it is faulty would be reported once more, as missing.
          if (!isCovered(path, faults)) findings.push(source.finding("error", path, message, at));
        },
      });
    }
  }
  const failed = findings.some(({ severity }) => severity === "error");
  return { fleet: failed ? undefined : fleet, findings: inOrder(findings) };
}

/** `pos:` with nothing after it is null, and null opts out: hardly what was meant. */
function blankSets(source: Source): Finding[] {
  return source.blanks
    .filter((path) => path.length === 4 && path[0] === "clusters" && path[2] === "sets")
    .map((path) =>
      source.finding(
        "warning",
        path,
        "is empty, which opts out of the set; write {} to take it, or null to opt out",
        "key",
      ),
    );
}

/** Whether a fault is known at a path or above it. */
function isCovered(path: Path, faults: ReadonlySet<string>): boolean {
  return path.some((_, index) => faults.has(formatPath(path.slice(0, index + 1))));
}

function withOrigin(finding: Finding, { repositoryUrl }: Overrides): Finding {
  if (repositoryUrl === undefined || finding.path !== "repository.url") return finding;
  return {
    ...finding,
    message: `${finding.message} (this URL overrides the file's; correct it where it is set)`,
  };
}

function withOverrides(data: unknown, { repositoryUrl }: Overrides): unknown {
  if (repositoryUrl === undefined || typeof data !== "object" || data === null || Array.isArray(data))
    return data;
  const repository = (data as { repository?: unknown }).repository ?? {};
  if (typeof repository !== "object" || Array.isArray(repository)) return data;
  return { ...data, repository: { ...repository, url: repositoryUrl } };
}
