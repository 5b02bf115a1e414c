import { secondsOf } from "../../../values/duration.ts";
import { filePolicy } from "../../filePolicy.ts";
import { shown } from "../../plainValue.ts";

/** A Kustomization that has not ended when the next one is due runs without a pause. */
export const timeoutWithinInterval = filePolicy({
  name: "timeout-within-interval",
  description: "A Kustomization's timeout is not longer than its interval.",
  why: "One that waits longer than its interval never rests, and its failure is seen late.",
  check: ({ kind, spec }) => {
    const [interval, timeout] = [secondsOf(spec["interval"]), secondsOf(spec["timeout"])];
    if (kind !== "Kustomization" || interval === undefined || timeout === undefined || timeout <= interval)
      return undefined;
    return `spec.timeout is ${shown(spec["timeout"])}, longer than spec.interval ${shown(spec["interval"])}; write a shorter timeout, or a longer interval.`;
  },
});
