import { isSameRepository } from "../values/repositoryUrl.ts";
import type { FleetPart } from "./fleetOf.ts";
import type { NotTaken } from "./notTaken.ts";

/**
 * A fleet file is of one repository: clusters that follow another one than most are left out. Of several URLs of it, the one
 * that most clusters follow counts.
 */
export function ofOneRepository(parts: readonly FleetPart[], notTaken: NotTaken[]): readonly FleetPart[] {
  const byUrl = mostFirst(Map.groupBy(parts, ({ repository }) => repository.url));
  const forms = byUrl.map(([url]) => url);
  const formOf = (one: string): string => forms.find((other) => isSameRepository(one, other))!;
  const [most] = mostFirst(Map.groupBy(parts, ({ repository }) => formOf(repository.url)));
  const repository = parts.find((part) => part.repository.url === most?.[0])?.repository;
  return parts.flatMap(({ cluster, repository: own }) => {
    if (repository === undefined) return [];
    const note = (reason: string, matter: NotTaken["matter"]): void =>
      void notTaken.push({
        file: cluster.root?.file ?? "",
        path: `cluster ${cluster.name}`,
        reason,
        matter,
      });
    if (own.url === repository.url) return [{ cluster, repository: own }];
    if (formOf(own.url) === repository.url) {
      note(otherForm, "decide");
      return [{ cluster, repository: { ...repository, branch: own.branch } }];
    }
    note(otherRepository, "object");
    return [];
  });
}

const otherForm =
  "follows the repository by another form of its URL than most; its new source takes that of the fleet file: see that the cluster can reach it";
const otherRepository =
  "is left out: it follows another repository than most; import its folder into a fleet file of its own";

function mostFirst<T>(
  groups: ReadonlyMap<string, readonly T[]>,
): readonly (readonly [string, readonly T[]])[] {
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}
