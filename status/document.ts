import { z } from "zod";
import type { StageCount } from "./countByGate.ts";
import type { FleetStatus } from "./askFleet.ts";
import { words } from "./words.ts";

/* What `arcflux status --json` prints. Fields may be added; none goes or changes its meaning. */

const time = z.string().meta({ description: "ISO 8601, UTC.", format: "date-time" });
const word = z.enum(words);

const part = {
  name: z.string(),
  word,
  reason: z.string().optional().meta({ description: "In Flux's words, or ours." }),
  meaning: z.string().optional(),
  next: z.string().optional().meta({ description: "What to do." }),
  since: time.optional(),
  revision: z.string().optional().meta({ description: "What it runs, as Flux writes it." }),
  healthy: z.boolean().meta({ description: "Whether Flux calls it ready at that revision." }),
};

export const statusSchema = z
  .looseObject({
    asOf: time,
    counts: z.array(
      z.object({
        stage: z.string().optional(),
        of: z.int(),
        ready: z.int(),
        others: z.partialRecord(word, z.array(z.string())),
        passes: z.boolean().meta({ description: "Whether enough are ready, by `ready` of the stage." }),
        text: z.string(),
      }),
    ),
    clusters: z.array(
      z.object({
        cluster: z.string(),
        stage: z.string().optional(),
        word,
        reason: z.string().optional(),
        since: time.optional(),
        wanted: z.object({
          branch: z.string(),
          commit: z.string().optional(),
          committedAt: time.optional(),
          pins: z.record(z.string(), z.record(z.string(), z.unknown())),
          sets: z.array(z.string()).optional(),
          fault: z.string().optional(),
        }),
        runs: z.object({
          bootstrap: z.string().optional(),
          sets: z.string().optional(),
          folder: z.string().optional(),
        }),
        sets: z.array(z.object({ ...part, followsTip: z.boolean(), window: z.string().optional() })),
        others: z.array(z.object({ ...part, kind: z.string() })),
        notes: z.array(
          z.object({
            text: z.string(),
            next: z.string().optional(),
            edited: z.boolean().optional().meta({ description: "Somebody edited an object on the cluster." }),
          }),
        ),
        windows: z.array(
          z.object({
            name: z.string(),
            timeZone: z.string(),
            open: z.boolean().meta({ description: "By the clock." }),
            since: time.optional().meta({ description: "When it opened, or closed last." }),
            until: time.optional().meta({ description: "When it closes, or opens next." }),
            missed: z.int().optional().meta({
              description: "Openings without a fetch since the last one; absent where nobody tells.",
            }),
            leftOpen: z.boolean().optional().meta({ description: "A job that was killed left it open." }),
            frozenUntil: z.string().optional().meta({ description: "Day." }),
          }),
        ),
        idle: z.literal(true).optional().meta({ description: "By the fleet file: its sets run nothing." }),
        source: z.enum(["azure", "cluster", "git"]).meta({ description: "Who told; git: nobody." }),
        asOf: time.optional().meta({ description: "When the source last heard of the cluster." }),
        flux: z.string().optional(),
      }),
    ),
    sent: z
      .record(
        z.string(),
        z.object({
          state: z.enum(["arrived", "under way", "dropped", "unknown"]),
          at: time,
          credential: z.string().optional().meta({ description: "Beginning of its SHA-256." }),
          replaces: z.string().optional().meta({ description: "Which one it had before." }),
        }),
      )
      .optional()
      .meta({ description: "With --stack: how what its last update told Azure fares, by cluster." }),
    faults: z.array(z.string()).meta({ description: "Who did not answer: the rest is then partial." }),
  })
  .meta({ title: "arcflux status --json" });

export type StatusDocument = z.input<typeof statusSchema>;

export function statusDocument(
  { states, faults, asOf }: Pick<FleetStatus, "states" | "faults" | "asOf">,
  counts: readonly StageCount[],
): Record<string, unknown> {
  return { asOf, counts, clusters: states, faults };
}

/** The JSON Schema of that document. */
export function statusJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(statusSchema, { io: "output" });
  return JSON.stringify({ $schema, $id: "https://unpkg.com/arcflux/status.schema.json", ...schema }, null, 2);
}
