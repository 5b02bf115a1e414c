import type { FleetStatus } from "./askFleet.ts";
import type { Credential } from "./credentials.ts";
import { hashOf } from "./revision.ts";
import { words } from "./words.ts";

/** What is exported: name, help, and its samples as labels and value. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/**
 * The state of a fleet in Prometheus' text format, for a textfile collector or a push gateway. Every cluster has one
 * series for each word, 0 or 1, so that an alarm ends when the state does. All are gauges; times are seconds since 1970.
 */
export function metricsText(status: FleetStatus, credentials: readonly Credential[]): string {
  return metricsOf(status, credentials)
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
      ].join("\n"),
    )
    .join("\n")
    .concat("\n");
}

function metricsOf({ states, faults, asOf }: FleetStatus, credentials: readonly Credential[]): Metric[] {
  const of = ({ cluster, stage = "" }: (typeof states)[number]) => ({ cluster, stage });
  return [
    {
      name: "arcflux_cluster_state",
      help: "1 for the word that holds of the cluster.",
      samples: states.flatMap((state) =>
        words.map((word) => [{ ...of(state), state: word }, state.word === word ? 1 : 0] as const),
      ),
    },
    {
      name: "arcflux_cluster_sets",
      help: "Sets of the cluster.",
      samples: states.map((state) => [of(state), state.sets.length] as const),
    },
    {
      name: "arcflux_cluster_sets_ready",
      help: "Sets of the cluster that are ready.",
      samples: states.map(
        (state) => [of(state), state.sets.filter(({ word }) => word === "ready").length] as const,
      ),
    },
    {
      name: "arcflux_set_waiting_since_timestamp_seconds",
      help: "When the commit was made that a windowed set waits with.",
      samples: states.flatMap((state) =>
        state.sets.flatMap(({ name, word, window }) =>
          word === "waiting for a window" && state.wanted.committedAt !== undefined
            ? [[{ ...of(state), set: name, window: window ?? "" }, time(state.wanted.committedAt)] as const]
            : [],
        ),
      ),
    },
    {
      name: "arcflux_window_missed_openings",
      help: "Openings of a window without a fetch since the last one, where the cluster itself tells.",
      samples: states.flatMap((state) =>
        state.windows.flatMap(({ name, missed }) =>
          missed === undefined ? [] : [[{ ...of(state), window: name }, missed] as const],
        ),
      ),
    },
    {
      name: "arcflux_cluster_heard_timestamp_seconds",
      help: "When the source last heard of the cluster.",
      samples: states.flatMap((state) =>
        state.asOf === undefined ? [] : [[of(state), time(state.asOf)] as const],
      ),
    },
    {
      name: "arcflux_cluster_runs_info",
      help: "1, with the commit that the bootstrap has applied.",
      samples: states.flatMap((state) => {
        const commit = hashOf(state.runs.bootstrap);
        return commit === undefined ? [] : [[{ ...of(state), commit, told_by: state.source }, 1] as const];
      }),
    },
    {
      name: "arcflux_credential_end_timestamp_seconds",
      help: "When a token, certificate or identity ends.",
      samples: credentials.map(({ kind, name, ends }) => [{ kind, name }, time(ends)] as const),
    },
    {
      name: "arcflux_asked_timestamp_seconds",
      help: "When the fleet was asked last.",
      samples: [[{}, time(asOf)]],
    },
    {
      name: "arcflux_sources_failed",
      help: "How many sources did not answer.",
      samples: [[{}, faults.length]],
    },
  ];
}

/** Names that alarm rules may use; a test holds the shipped rules to them. */
export const metricNames = [
  "arcflux_cluster_state",
  "arcflux_cluster_sets",
  "arcflux_cluster_sets_ready",
  "arcflux_set_waiting_since_timestamp_seconds",
  "arcflux_window_missed_openings",
  "arcflux_cluster_heard_timestamp_seconds",
  "arcflux_cluster_runs_info",
  "arcflux_credential_end_timestamp_seconds",
  "arcflux_asked_timestamp_seconds",
  "arcflux_sources_failed",
  "arcflux_recorded_timestamp_seconds",
] as const;

/** That the record was written, for the alarm when it is not. */
export function recordedMetric(asOf: string): string {
  const name = "arcflux_recorded_timestamp_seconds";
  return `# HELP ${name} When the record was written last.\n# TYPE ${name} gauge\n${name} ${time(asOf)}\n`;
}

function time(iso: string): number {
  return Math.round(Date.parse(iso) / 1000);
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return all.length === 0 ? "" : `{${all.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
