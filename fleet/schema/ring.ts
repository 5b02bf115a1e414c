import { z } from "zod";
import { rules } from "../rules.ts";
import { duration, text } from "../values.ts";
import { matchLabels } from "./alert.ts";
import { must, part, share } from "./fields.ts";
import { pin } from "./source.ts";

/** A part of a stage that a change reaches at once. */
export const ring = z
  .strictObject({
    name: must(text(rules.ringName), "What it is called: prod/first is ring first of stage prod.", "first"),
    match: part(matchLabels, "Labels that its clusters have, all of them.", { ring: "first" }),
    share: part(
      share,
      "How many of the clusters that no match and no earlier share takes. A cluster's name alone decides, so that it stays where it is.",
      "10%",
    ),
    soak: part(
      duration(),
      "How long this ring must have a change before the next one gets it. Default: not at all.",
      "24h",
    ),
    maxFailed: part(
      z.int().min(0),
      "How many of its clusters may fail before a roll-out stops. Default: ready.failing of the stage.",
      0,
    ),
    pins: part(
      z.record(z.string(), pin),
      "After stage and groups, before the cluster's own. arcflux rollout sets them.",
    ),
  })
  .refine(({ match, share: some }) => (match === undefined) !== (some === undefined), {
    error: "has neither or both; write one of match and share (100% takes the rest)",
  })
  .meta({ id: "ring" });

export type RingEntry = z.output<typeof ring>;
