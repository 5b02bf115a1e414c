import * as pulumi from "@pulumi/pulumi";

/** What is in the state of the stack. */
export interface StateNames {
  /** Whether it has a resource of a type, such as `azure-native:kubernetes:ConnectedCluster`, under a name. */
  has(type: string, name: string): boolean;
}

/** Reads the state of the stack as its last run left it, failed or not. Nothing is in it where the backend does not tell. */
export async function readStateNames(): Promise<StateNames> {
  const known = new Set(Object.keys(await readOutputs()).map(typeAndName));
  return { has: (type, name) => known.has(`${type}::${name}`) };
}

/** By URN. */
async function readOutputs(): Promise<object> {
  try {
    const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
    const answer = (await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", {
      stackName,
    })) as { readonly outputs?: object };
    return answer.outputs ?? {};
  } catch {
    return {};
  }
}

/** `urn:pulumi:dev::arcflux::a:b:Parent$c:d:Child::name` as `c:d:Child::name`. */
function typeAndName(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return `${types.slice(types.lastIndexOf("$") + 1)}::${name.join("::")}`;
}
