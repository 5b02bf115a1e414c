import type { Cluster } from "../fleet/model.ts";
import { ProxyRefusal } from "../git/index.ts";
import { inParallel } from "../status/index.ts";
import { showNames } from "../values/show.ts";
import type { Checkup } from "./checkup.ts";
import { type Endpoint, endpointsOf } from "./endpoints.ts";
import { reach } from "./reach.ts";

const about = "network";
/** Endpoints tried at once. */
const parallel = 8;
/** For one endpoint, in milliseconds. */
const patience = 10_000;

/**
 * Tries the endpoints that agents of these clusters call, from this machine and through its proxy (`HTTPS_PROXY`, `NO_PROXY`).
 * That TLS opens will do: what is looked for is the way there.
 */
export async function checkNetwork(
  clusters: readonly Cluster[],
  repository: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Checkup[]> {
  const behindArc = clusters.filter(({ platform, lifecycle }) => platform === "arc" && lifecycle !== "lost");
  const list = endpointsOf(
    env["ARM_ENVIRONMENT"],
    behindArc.map(({ arc }) => arc.location),
  );
  if (behindArc.length > 0 && list === undefined)
    return [
      {
        ...{
          about,
          state: "unknown",
          text: `of cloud ${env["ARM_ENVIRONMENT"]} no list of endpoints is known here`,
        },
        mend: "See Azure's network requirements of Arc-enabled Kubernetes for that cloud",
      },
    ];
  const git = URL.parse(repository);
  const endpoints = [
    ...(behindArc.length > 0 ? (list?.endpoints ?? []) : []),
    ...(git?.protocol === "https:" ? [{ host: git.host, use: "the repository" }] : []),
  ];
  const faults = new Map<Endpoint, string>();
  await inParallel(endpoints, parallel, async (endpoint) => {
    const fault = await tried(endpoint.host, env, signal);
    if (fault !== undefined) faults.set(endpoint, fault);
  });
  const reached = endpoints.length - faults.size;
  return [
    ...(reached > 0 ? [answers(reached, endpoints.length, list?.wildcards ?? [])] : []),
    ...endpoints.flatMap((endpoint): Checkup[] => {
      const fault = faults.get(endpoint);
      if (fault === undefined) return [];
      return [
        {
          ...{
            about,
            state: "error",
            text: `no way from here to ${endpoint.host}, ${endpoint.use} (${fault})`,
          },
          mend: "Open it on port 443 in firewall and proxy; docs/guide/doctor.md tries it from a cluster",
        },
      ];
    }),
  ];
}

function answers(reached: number, of: number, wildcards: readonly string[]): Checkup {
  const untried = wildcards.length === 0 ? "" : `; nobody can try ${showNames(wildcards)}`;
  return { about, state: "ok", text: `${reached} of ${of} endpoints answer from here${untried}` };
}

/** Why there is no way to a host, without a word of the proxy's address, which may hold a password. */
async function tried(host: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string | undefined> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  try {
    await reach(host, env, ends);
    return undefined;
  } catch (error) {
    if (ends.aborted) return "no answer in time";
    if (error instanceof ProxyRefusal) return error.message;
    const { code = "" } = error as NodeJS.ErrnoException;
    if (/CERT|ISSUER|SELF_SIGNED|TLS|SSL/.test(code))
      return "its certificate is not trusted: something between opens TLS, or NODE_EXTRA_CA_CERTS lacks an authority";
    return /^E[A-Z_]+$/.test(code) ? code : "the connection broke off";
  }
}
