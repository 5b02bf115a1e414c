/** What the floor program registers for one cluster: the inputs of its three resources, as literals. */
export interface FloorCluster {
  readonly name: string;
  readonly files: Readonly<Record<string, unknown>>;
  readonly extension: Readonly<Record<string, unknown>>;
  readonly configuration: Readonly<Record<string, unknown>>;
}

interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** Takes the literals from `pulumi stack export` of a stack that the program itself made. */
export function literalsOf(exported: string): FloorCluster[] {
  const { deployment } = JSON.parse(exported) as { deployment: { resources: ExportedResource[] } };
  const inputs = new Map(deployment.resources.map((resource) => [nameOf(resource), resource.inputs ?? {}]));
  const take = (name: string): Readonly<Record<string, unknown>> => {
    const found = inputs.get(name);
    if (found === undefined) throw new Error(`The stack has no resource ${name}.`);
    return found;
  };
  return deployment.resources
    .filter(({ type }) => type === "arcflux:index:FluxFolder")
    .map((resource) => nameOf(resource))
    .map((name) => ({
      name,
      files: take(`${name}-files`),
      extension: take(`${name}-flux`),
      configuration: take(`${name}-configuration`),
    }));
}

function nameOf({ urn }: ExportedResource): string {
  return urn.split("::").at(-1) ?? "";
}
