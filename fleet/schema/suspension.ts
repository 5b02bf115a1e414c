import { z } from "zod";
import { date, sentence } from "../values.ts";
import { must, part } from "./fields.ts";

/** Of a stage, a group or a cluster: stops all that would reach it. */
export const suspension = z
  .strictObject({
    reason: must(sentence(), "Why, for whoever comes next.", "INC-4711"),
    until: part(date(), "Last day of it: past it, every command ends with an error.", "2026-12-24"),
    through: part(
      z.literal("git"),
      "git: by the files in Git alone, where Azure or the API of the cluster does not answer. Sets of the fleet's own repository are suspended then, and their drift is not repaired. Default: the bootstrap is suspended where it was made, in Azure or on the cluster.",
    ),
  })
  .meta({ id: "suspension" });
