import { checkRepository, type RepositoryChecks } from "../../checks/checkRepository.ts";
import type { Builder } from "../../build/index.ts";
import type { Fleet } from "../../fleet/model.ts";
import { formatPath } from "../../fleet/finding.ts";
import { openRepository } from "../../checks/openRepository.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";

/** Commits the files to a real repository, checks the fleet against it, and gives back one line a fault. */
export async function faultsIn(
  fleet: Fleet,
  files: Fixture,
  checks: RepositoryChecks = {},
  /** What another branch has more than `main`. */
  more: { readonly branch: string; readonly files: Fixture } | undefined = undefined,
): Promise<string[]> {
  const workshop = new GitWorkshop();
  try {
    const location = await workshop.repository({ "README.md": "The fleet\n", ...files });
    if (more !== undefined) {
      workshop.git(location, "branch", more.branch, "main");
      workshop.commit(location, more.files, { branch: more.branch });
    }
    const follows = [...new Set(fleet.clusters.map((cluster) => cluster.follows))];
    const context = { env: workshop.env, tempRoot: workshop.tempRoot };
    const { faults } = await openRepository({ location, branch: "main", follows }, context, (trees) =>
      checkRepository(fleet, trees, { built: { open: buildsNothing }, ...checks }),
    );
    // What the judgements say is for their own specs, and for the door of the command.
    const ours = faults.filter(({ name }) => name === undefined);
    return ours.map(({ severity, path, message }) => `${severity}: ${formatPath(path)}: ${message}`).sort();
  } finally {
    workshop.remove();
  }
}

/** A builder that can look at nothing. */
function buildsNothing(): Builder {
  return {
    build: (requests) =>
      Promise.resolve(requests.map(() => ({ kind: "notJudged", reason: "it is not looked at" }))),
    substitute: (built) => Promise.resolve(built),
    close: () => Promise.resolve(),
  };
}

/** A manifest that any set may hold. */
export function configMap(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`;
}

/** A Flux Kustomization as a person would write it. */
export function byHand(
  name: string,
  { dependsOn = [] as readonly string[], namespace = "flux-system" } = {},
): string {
  return [
    "apiVersion: kustomize.toolkit.fluxcd.io/v1",
    "kind: Kustomization",
    `metadata: { name: ${name}, namespace: ${namespace} }`,
    "spec:",
    "  interval: 10m",
    "  prune: true",
    `  path: ./by-hand/${name}`,
    "  sourceRef: { kind: GitRepository, name: edge-config }",
    ...(dependsOn.length > 0 ? ["  dependsOn:", ...dependsOn.map((each) => `    - name: ${each}`)] : []),
    "",
  ].join("\n");
}
