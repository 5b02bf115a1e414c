import * as pulumi from "@pulumi/pulumi";

import type { RepositoryAccess } from "../components/repositoryAccess.ts";
import type { Cluster, Fleet, ValueSource } from "../fleet/model.ts";
import { readPlaces, sourceReader } from "../secrets/index.ts";
import { readRepositoryAccess } from "./stackSettings.ts";

/**
 * What each cluster reads the repository with: its own `repository.credentials`, those of its groups or stage, or the
 * fleet's; else the stack's secrets. Each place is read once, whoever it is for.
 *
 * @throws a RunError that names every place that is missing or cannot be read.
 */
export async function readCredentials(
  { repository, clusters }: Pick<Fleet, "repository" | "clusters">,
  fleetFile: string,
): Promise<(cluster: Cluster) => RepositoryAccess> {
  const { access } = repository;
  const stated = clusters.flatMap(({ name, credentials, lifecycle }): [ValueSource, string][] =>
    credentials === undefined || lifecycle === "lost" ? [] : [[credentials, name]],
  );
  const stack = new pulumi.Config("arcflux");
  const config = (key: string): string | undefined => stack.get(key);
  const { valueOf, faults } = await readPlaces(
    access === "public" ? [] : stated,
    sourceReader({ fleetFile, env: process.env, config }),
  );
  if (faults.length > 0) throw new pulumi.RunError(faults.join("\n"));
  let usual: RepositoryAccess | undefined;
  return ({ credentials, repositoryUser }) => {
    const value = credentials === undefined ? undefined : valueOf(credentials);
    if (value === undefined && repositoryUser === undefined)
      return (usual ??= readRepositoryAccess(repository));
    return readRepositoryAccess(repository, {
      ...(value !== undefined && { secret: pulumi.secret(value) }),
      ...(repositoryUser !== undefined && { user: repositoryUser }),
    });
  };
}
