import type {
  PolicyResource,
  ReportViolation,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from "@pulumi/policy";
import * as policy from "@pulumi/policy";

type Props = Record<string, unknown>;

/** What Pulumi sends in a preview for text that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const configurationType = "azure-native:kubernetesconfiguration:FluxConfiguration";
export const gitFilesType = "arcflux-git:index:GitFiles";

/** Inputs of the Flux configuration of cluster `edge-0`, as the program registers them. */
export function goodConfiguration() {
  return {
    resourceGroupName: "rg-edge",
    clusterName: "edge-0",
    fluxConfigurationName: "edge-config",
    namespace: "flux-system",
    scope: "cluster",
    sourceKind: "GitRepository",
    suspend: false,
    gitRepository: {
      url: "https://git.example.com/edge/fleet.git",
      repositoryRef: { branch: "main" },
      syncIntervalInSeconds: 600,
      timeoutInSeconds: 300,
    } as Props,
    kustomizations: { bootstrap: goodBootstrap() } as Props,
  };
}

export function goodBootstrap() {
  return {
    path: "./clusters/edge-0/flux",
    dependsOn: [],
    timeoutInSeconds: 300,
    syncIntervalInSeconds: 600,
    retryIntervalInSeconds: 120,
    prune: true,
    force: false,
    wait: false,
  };
}

/** Inputs of the files committed for it. */
export function goodFiles() {
  return {
    repository: "https://git.example.com/edge/fleet.git",
    branch: "main",
    directory: "clusters/edge-0",
    files: { "flux/set-01.yaml": kustomization() } as Props,
    message: "Update clusters/edge-0",
    author: { name: "Arcflux", email: "arcflux@example.com" },
  };
}

/** A Flux Kustomization with further lines of its spec. */
export function kustomization(spec = "  interval: 10m\n  timeout: 5m\n  wait: true\n"): string {
  return (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: set-01\n" +
    "  namespace: flux-system\nspec:\n  path: ./clusters/edge-0/sets/set-01\n" +
    spec
  );
}

/** What a check said: its violations, and why it could not look at everything. */
export interface Verdict {
  readonly violations: readonly string[];
  readonly skipped?: string;
}

// The package exports these two at run time and strips them from its declarations.
const { unknownCheckingProxy, UnknownValueError } = policy as unknown as {
  unknownCheckingProxy: (props: Props) => Props;
  UnknownValueError: new (...args: unknown[]) => Error;
};

/** Runs a check of one resource as the host does. */
export function checkResource(
  check: ResourceValidationPolicy,
  type: string,
  props: Props,
  config: object = {},
): Promise<Verdict> {
  const urn = `urn:pulumi:dev::arcflux::${type}::edge-0`;
  return verdict((report) => validate(check, resource(type, "edge-0", urn, props), config, report));
}

/** A resource of a stack, with what it depends on by name. */
export interface StackResource {
  readonly type: string;
  readonly name: string;
  readonly inputs?: Props;
  /** What the provider answered; absent it is the inputs. */
  readonly outputs?: Props;
  readonly dependsOn?: readonly string[];
  readonly protect?: boolean;
  /** Whether somebody else makes it, in no component of Arcflux. */
  readonly isForeign?: boolean;
}

let stacks = 0;

/** Runs a check of the stack as the host does: each resource with its inputs first, then the stack with outputs. */
export function checkStack(
  check: ResourceValidationPolicy & Partial<StackValidationPolicy>,
  resources: readonly StackResource[],
  config: object = {},
): Promise<Verdict> {
  stacks += 1;
  const types = new Map(
    resources.map(({ type, name, isForeign = false }) => [
      name,
      isForeign ? type : `arcflux:index:EdgeCluster$${type}`,
    ]),
  );
  const urn = (name: string): string => `urn:pulumi:stack-${stacks}::arcflux::${types.get(name)}::${name}`;
  return verdict(async (report) => {
    for (const { type, name, inputs } of resources) {
      if (inputs) await validate(check, resource(type, name, urn(name), inputs), config, report);
    }
    const all = resources.map(({ type, name, inputs = {}, outputs = inputs, protect = false }) => {
      const made = resource(type, name, urn(name), outputs);
      return { ...made, opts: { ...made.opts, protect } };
    });
    resources.forEach(({ dependsOn = [] }, at) => {
      const found = all[at];
      if (found) found.dependencies = all.filter(({ name }) => dependsOn.includes(name));
    });
    await check.validateStack?.(
      { resources: all, stackTags: new Map(), getConfig: <T>() => config as T, notApplicable },
      report,
    );
  });
}

function resource(type: string, name: string, urn: string, props: Props): PolicyResource {
  return {
    type,
    name,
    urn,
    props: unknownCheckingProxy(structuredClone(props)),
    opts: {
      protect: false,
      ignoreChanges: [],
      aliases: [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
      additionalSecretOutputs: [],
    },
    dependencies: [],
    propertyDependencies: {},
    isType: () => false,
    asType: () => undefined,
  };
}

async function validate(
  check: ResourceValidationPolicy,
  { type, name, urn, props, opts }: PolicyResource,
  config: object,
  report: ReportViolation,
): Promise<void> {
  const args = {
    type,
    name,
    urn,
    props,
    opts,
    stackTags: new Map<string, string>(),
    isType: () => false,
    asType: () => undefined,
    getConfig: <T>() => config as T,
    notApplicable,
  };
  for (const run of [check.validateResource ?? []].flat()) await run(args, report);
}

function notApplicable(): never {
  throw new Error("not applicable");
}

async function verdict(run: (report: ReportViolation) => Promise<void>): Promise<Verdict> {
  const violations: string[] = [];
  try {
    await run((message) => violations.push(message));
    return { violations };
  } catch (error) {
    if (!(error instanceof UnknownValueError)) throw error;
    return { violations, skipped: error.message };
  }
}
