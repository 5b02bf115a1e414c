import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { eachCommittedFile, isFlux, type CommittedObject } from "../committedFiles.ts";
import { secondsOf } from "../../values/duration.ts";
import { shown } from "../plainValue.ts";
import { gitFilesType, isGitFiles } from "../resourceTypes.ts";

interface Config {
  readonly minimumSeconds?: number;
}

/** Kinds that Flux refuses without an interval; in others it is optional. */
const needsInterval = [
  "Kustomization",
  "HelmRelease",
  "GitRepository",
  "OCIRepository",
  "Bucket",
  "HelmChart",
];

/** A short interval costs little on one cluster; a thousand of them bring down the Git server. */
export const minimumInterval: ResourceValidationPolicy & About = {
  name: "minimum-interval",
  onlyOf: gitFilesType,
  description: "Flux objects in committed files reconcile no more often than a set number of seconds.",
  why: "A short interval costs little on one cluster; a thousand of them bring down a Git server.",
  configSchema: { properties: { minimumSeconds: { type: "number", exclusiveMinimum: 0, default: 60 } } },
  validateResource: (args, report) => {
    const { type, name, props } = args;
    if (!isGitFiles(type)) return;
    const { minimumSeconds = 60 } = args.getConfig<Config>();
    const steps = eachCommittedFile(props, ({ path, content, isPatch }) => {
      const where = `GitFiles '${name}', file '${path}'`;
      if ("fault" in content) {
        report(`${where} ${content.fault}. Its intervals cannot be checked; correct the file.`);
        return;
      }
      for (const object of content.objects.filter(isFlux)) {
        // A patch leaves out what it does not change.
        const isWhole = object.spec["interval"] !== undefined || !isPatch();
        const wrong = isWhole ? intervalFault(object, minimumSeconds) : undefined;
        if (wrong) report(`${where}, ${object.title}: ${wrong}`);
      }
    });
    checkEachKnown(steps);
  },
};

function intervalFault({ kind, spec }: CommittedObject, minimumSeconds: number): string | undefined {
  const interval = spec["interval"];
  const example = `such as '${Math.max(10, Math.ceil(minimumSeconds / 60))}m'`;
  if (interval === undefined && !needsInterval.includes(kind)) return undefined;
  const seconds = secondsOf(interval);
  if (seconds === undefined) {
    return `spec.interval is ${shown(interval)}; a duration of at least ${minimumSeconds} s is needed, ${example}.`;
  }
  if (seconds >= minimumSeconds) return undefined;
  return `spec.interval is ${shown(interval)}; at least ${minimumSeconds} s is needed. Set a longer one, ${example}.`;
}
