import { fleetPolicy } from "../../fleetPolicy.ts";

/** What was proven in one stage has to be what comes in the next. */
export const stagesAlike = fleetPolicy({
  name: "stages-alike",
  description: "A stage says of its clusters what the stage before says, but for what may differ.",
  why: "What differs in the next stage was never tried in the one before.",
  check: ({ stages }) =>
    stages.flatMap(({ name, differs }) =>
      differs.map((field) => ({
        message: `stage ${name}: ${field}; make them alike, or name it in stages.${name}.mayDiffer.`,
      })),
    ),
});
