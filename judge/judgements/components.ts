import { show } from "../../values/show.ts";
import type { SetJudgement } from "../judgement.ts";

/** A component that is ignored where it is missing may be a typing error for ever. */
export const components: SetJudgement = {
  name: "component",
  severity: "warning",
  finds: "A component that is not there, and that `ignoreMissingComponents` passes over without a word.",
  judge: ({ absentComponents }) =>
    absentComponents.map(({ path, near }) => ({
      field: ["components"],
      message:
        `${show(path)} is not there, and ignoreMissingComponents passes over it` +
        `${near === undefined ? "" : `; there is ${near}`}; correct the path, or drop it`,
    })),
};
