import { fleetPolicy } from "../../fleetPolicy.ts";

/** A revision that no cluster of the stage before has run is tried in the next stage first. */
export const promotedPins = fleetPolicy({
  name: "promoted-pins",
  description: "A revision that a stage is pinned to is, or was, that of the stage before.",
  why: "A revision that skips a stage is tried for the first time where it does most harm.",
  check: ({ stages }) =>
    stages.flatMap(({ name, after, unproven }) =>
      unproven.map((pin) => ({
        message: `stage ${name} is pinned to ${pin}, which stage ${after} has not had; pin ${after} to it first.`,
      })),
    ),
});
