import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";

import { isPassingConflict, pauseAfter } from "../values/azureConflict.ts";

/**
 * What makes the engine try a change in Azure again that another operation on the same resource refuses. The provider of
 * azure-native retries one of Azure's codes for it, and for a few seconds. To be made once for a program.
 */
export function retryConflicts(
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): pulumi.ResourceHookBinding {
  // Where resources are only noted, without an engine, nothing is tried either.
  if (!("registerErrorHook" in (pulumi.runtime.getMonitor() ?? {}))) return {};
  const hook = new pulumi.ErrorHook("arcflux-retry-conflicts", async ({ name, errors }) => {
    const [latest = ""] = errors;
    const seconds = isPassingConflict(latest) ? pauseAfter(errors.length) : undefined;
    if (seconds === undefined) return false;
    void pulumi.log.info(`${name}: Azure is busy with another operation on it. Next try in ${seconds} s.`);
    await pause(seconds * 1000);
    return true;
  });
  return { onError: [hook] };
}
