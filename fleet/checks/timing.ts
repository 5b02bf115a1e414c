import { durationSeconds } from "../../values/duration.ts";
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
    if (timeout !== undefined && durationSeconds(timeout) > durationSeconds(interval)) {
      const path = at("timeout");
      // A timeout that nobody wrote is no place to look at; the interval is the one that was.
      shared.add(path.at(-1) === "timeout" ? path : at("interval"), longer(timeout, interval), cluster.name);
    }
    if (timeout === undefined && (wait === true || checks)) {
      shared.add(
        at("timeout"),
        `is none, so one unhealthy object holds up new commits for the whole interval of ${interval}; write a timeout, such as 5m`,
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
  return `the timeout of ${timeout} is longer than the interval of ${interval}, so one try may outlast the next; write a shorter timeout or a longer interval`;
}
