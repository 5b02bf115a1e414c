import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Checkup } from "./checkup.ts";

/** Where the agents come from. */
export interface Chart {
  readonly chart: string;
  readonly version?: string;
}

const about = "agents chart";
/** What registries call a manifest of a chart. */
const manifest = "application/vnd.oci.image.manifest.v1+json";

/** Whether this machine, which runs Helm, can get the chart of the agents. */
export async function checkChart({ chart, version }: Chart, signal: AbortSignal): Promise<Checkup[]> {
  const reference = /^oci:\/\/([^/]+)\/(.+?)(?::([^/:]+))?$/.exec(chart);
  if (reference === null) return /^\w+:\/\//.test(chart) ? [notLooked(chart)] : [await folder(chart)];
  const [, host = "", repository = "", tag = version] = reference;
  if (tag === undefined)
    return [
      {
        about,
        state: "error",
        text: `${chart} names no version`,
        mend: "Write it behind a colon, as in …:1.36.1",
      },
    ];
  // Helm, too, speaks plain HTTP to this machine alone.
  const scheme = /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? "http" : "https";
  try {
    const answer = await fetch(`${scheme}://${host}/v2/${repository}/manifests/${tag}`, {
      headers: { accept: manifest },
      signal,
    });
    await answer.body?.cancel();
    if (answer.ok) return [{ about, state: "ok", text: `${host} has ${repository}:${tag}` }];
    const text = `${host} answers ${answer.status} for ${repository}:${tag}`;
    if (answer.status === 404)
      return [
        {
          about,
          state: "error",
          text,
          mend: "Set stack config arcflux:agentsChart to a chart that is there",
        },
      ];
    return [{ about, state: "unknown", text, mend: "Sign Helm in: helm registry login" }];
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    const why = signal.aborted ? "no answer in time" : (cause?.code ?? message);
    return [
      {
        ...{ about, state: "error", text: `${host} cannot be reached from this machine (${why})` },
        mend: "Open the firewall or set HTTPS_PROXY; or mirror the chart and set stack config arcflux:agentsChart",
      },
    ];
  }
}

async function folder(chart: string): Promise<Checkup> {
  const isChart = await stat(join(chart, "Chart.yaml")).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isChart) return { about, state: "ok", text: `the folder ${chart}` };
  return {
    ...{ about, state: "error", text: `the folder ${chart} has no Chart.yaml` },
    mend: "Set arcflux:agentsChart, or ARCFLUX_AGENTS_CHART, to a chart's folder or an oci:// reference",
  };
}

const notLooked = (chart: string): Checkup => ({
  ...{ about, state: "unknown", text: `${chart} is neither a folder nor an oci:// reference` },
  mend: "Look with `helm show chart`",
});
