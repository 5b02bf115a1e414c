import type { Path } from "../fleet/finding.ts";
import { showNames } from "../values/show.ts";
import type { ClusterRemark, Judgement, SetJudgement, Severity } from "./judgement.ts";
import type { ClusterSubject, Subject } from "./subject.ts";
import { recipients } from "./recipients.ts";
import { subjectKeys } from "./subjectKeys.ts";
import { judgements } from "./table.ts";
import { unusedVariables } from "./unusedVariables.ts";

/** What a judgement says of a fleet, once for all clusters and sets that it is the same for. */
export interface Verdict {
  /** Of the judgement, for `--ignore NAME`. */
  readonly name: string;
  readonly severity: Severity;
  /** Where in the fleet file the reader should look. */
  readonly path: Path;
  readonly message: string;
}

/** A remark with where it was made. */
interface Said {
  readonly judgement: Pick<Judgement, "name" | "severity">;
  readonly remark: ClusterRemark;
  readonly subject: Pick<Subject, "cluster" | "isBootstrap">;
}

/** Whether what is said of a set of a cluster is to be heard. */
export type Counts = (cluster: Subject["cluster"], set: string) => boolean;

/**
 * Judges what the clusters apply, in the order of the table. `counts` keeps what is said of some sets only; variables that
 * nothing uses are told in any case.
 */
export function judgeFleet(clusters: readonly ClusterSubject[], counts: Counts = () => true): Verdict[] {
  const verdicts = judgements.flatMap((judgement) => {
    const said =
      "judge" in judgement
        ? judgeSets(judgement, clusters)
        : clusters.flatMap((cluster) =>
            judgement.judgeCluster(cluster).map((remark): Said => {
              const subject = cluster.subjects.find(({ set }) => set.name === remark.set)!;
              return { judgement, remark, subject };
            }),
          );
    return gathered(said.filter(({ remark, subject }) => counts(subject.cluster, remark.set)));
  });
  return [...verdicts, ...unusedVariables.judgeFleet(clusters), ...recipients.judgeFleet(clusters)];
}

/** Sets that build the same and say the same are judged once. */
function judgeSets(judgement: SetJudgement, clusters: readonly ClusterSubject[]): Said[] {
  const known = new Map<string, ReturnType<SetJudgement["judge"]>>();
  return clusters.flatMap(({ subjects }) =>
    subjects.flatMap((subject): Said[] => {
      const keys = subjectKeys(subject);
      const key = judgement.readsVariables === true ? keys.withVariables : keys.key;
      let remarks = known.get(key);
      if (remarks === undefined) known.set(key, (remarks = judgement.judge(subject)));
      return remarks.map((remark) => ({ judgement, remark: { ...remark, set: subject.set.name }, subject }));
    }),
  );
}

/** Each thing once, at the first set and cluster that it is said of. */
function gathered(all: readonly Said[]): Verdict[] {
  const alike = Map.groupBy(all, ({ judgement, remark: { severity, app, field = [], message } }) =>
    [judgement.name, severity, message, app, ...field].join("\n"),
  );
  return [...alike.values()].map((said): Verdict => {
    const [{ judgement, remark, subject }] = said as [Said, ...Said[]];
    const { name } = subject.cluster;
    const place = remark.app ? ["apps", remark.app] : ["sets", remark.set, ...(remark.field ?? [])];
    const path = ["clusters", name, ...(subject.isBootstrap ? [] : place)];
    return {
      name: judgement.name,
      severity: remark.severity ?? judgement.severity,
      path,
      message: `${remark.message}${alsoIn(said)}`,
    };
  });
}

function alsoIn(said: readonly Said[]): string {
  const [first, ...others] = said;
  const sets = new Set(others.map(({ remark }) => remark.set));
  const clusters = new Set(others.map(({ subject }) => subject.cluster.name));
  sets.delete(first!.remark.set);
  clusters.delete(first!.subject.cluster.name);
  const also = [
    ...(sets.size > 0 ? [`in ${sets.size === 1 ? "set" : "sets"} ${showNames(sets, 3)}`] : []),
    ...(clusters.size > 0
      ? [`in ${clusters.size} more cluster${clusters.size === 1 ? "" : "s"}: ${showNames(clusters, 3)}`]
      : []),
  ];
  return also.length === 0 ? "" : ` (also ${also.join("; ")})`;
}
