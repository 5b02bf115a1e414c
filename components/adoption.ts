import * as pulumi from "@pulumi/pulumi";

/** Something that Azure has already and that no stack knows. */
export interface Adopted {
  /** Its Azure id. */
  readonly id: string;
  /** Brings it to what is wanted; rejects where Azure refuses that. */
  readonly bring: (wanted: Readonly<Record<string, unknown>>) => Promise<void>;
}

/**
 * The inputs of a resource, known only once Azure has brought to them what is there already: what is imported then is what
 * is wanted. It waits for `after`, as an update would. A preview brings nothing.
 */
export function broughtTo<Inputs extends { readonly clusterName: pulumi.Input<string> }>(
  inputs: Inputs,
  adopted: Adopted | undefined,
  after: readonly pulumi.Output<unknown>[] = [],
): Inputs {
  if (adopted === undefined || pulumi.runtime.isDryRun()) return inputs;
  const wanted = pulumi.output(inputs) as unknown as pulumi.Output<{ readonly clusterName: string }>;
  const brought = pulumi.all([wanted, pulumi.all([...after])]).apply(async ([plain]) => {
    await adopted.bring({ ...plain });
    return plain.clusterName;
  });
  // Credentials are among the inputs; the name of a cluster is no secret for that.
  return { ...inputs, clusterName: pulumi.unsecret(brought) };
}

/** Options of a resource that is taken over: as it is, since what Azure never returns would count as a difference. */
export function importing(adopted: Adopted | undefined): pulumi.CustomResourceOptions {
  return adopted === undefined ? {} : { import: adopted.id, ignoreChanges: ["*"] };
}
