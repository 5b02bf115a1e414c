import { durationSeconds } from "../duration.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** Timeouts that would hold a set up, and health checks that Flux would not look at. */
export const checkTiming: Check = (checked) => {
  const shared = new Shared();
  const { bootstrap } = checked.file;
  if (durationSeconds(bootstrap.timeout) > durationSeconds(bootstrap.interval))
    checked.warn(["bootstrap", "timeout"], longer(bootstrap.timeout, bootstrap.interval));
  eachSet(checked, ({ cluster, set, at, layers }) => {
    const { wait, healthChecks, interval } = set.spec;
    const timeout = set.spec["timeout"] as string | undefined;
    const checks = Array.isArray(healthChecks) && healthChecks.length > 0;
    if (timeout !== undefined && durationSeconds(timeout) > durationSeconds(interval))
      shared.add(at("timeout"), longer(timeout, interval), cluster.name);
    if (timeout === undefined && (wait === true || checks)) {
      shared.add(
        at(wait === true ? "wait" : "healthChecks"),
        `has no timeout, so one unhealthy object holds up new commits for the whole interval of ${interval}; write a timeout, such as 5m`,
        cluster.name,
      );
    }
    if (wait === true && checks) {
      const both = layers().some(({ fields }) => fields.wait === true && fields.healthChecks);
      shared.add(
        at("healthChecks"),
        `${both ? "stands beside" : "is overridden by"} wait: true, with which Flux ignores health checks; write one of them`,
        cluster.name,
        "key",
      );
    }
  });
  shared.report(checked.warn);
};

function longer(timeout: string, interval: string): string {
  return `${timeout} is longer than the interval of ${interval}, so one try may outlast the next; write a shorter timeout or a longer interval`;
}
