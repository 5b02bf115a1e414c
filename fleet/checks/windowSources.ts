import { windowsFolder } from "../window/resolveWindows.ts";
import { movesBy } from "../window/windowedSource.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** What windowed sets take from elsewhere: a window holds only what does not move by itself. */
export const checkWindowSources: Check = (checked) => {
  const [errors, warnings] = [new Shared(), new Shared()];
  eachSet(checked, ({ cluster, set, at }) => {
    if (set.window === undefined) return;
    if (`${set.spec.path}/`.startsWith(`./${cluster.folder}/${windowsFolder}/`))
      errors.add(
        at("path"),
        `is in ${cluster.folder}/${windowsFolder}, where the sets of windows are written; choose another folder`,
        cluster.name,
      );
    const { kind, name } = set.sourceRef;
    if (kind === "GitRepository" && name === cluster.config) return;
    const source = cluster.sources.find((one) => one.kind === kind && one.name === name);
    if (source === undefined) {
      warnings.add(
        at("sourceRef"),
        `is a source that Arcflux does not make, so window ${set.window} does not hold what comes from it; declare it under sources, with a tag, commit or digest`,
        cluster.name,
      );
      return;
    }
    const moves = movesBy(source, cluster.follows);
    if (moves !== undefined)
      errors.add(
        at("source"),
        `${name} ${moves} at any time, so window ${set.window} would not hold ${set.name}; pin ${name} by tag, commit or digest, or take window off the set`,
        cluster.name,
      );
  });
  errors.report(checked.report);
  warnings.report(checked.warn);
};
