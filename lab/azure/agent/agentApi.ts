import type { Json } from "../json.ts";

export interface FluxConfiguration {
  readonly name: string;
  /** Grows with each write. */
  readonly generation: number;
  /** A delete waits for the agent. */
  readonly deleting: boolean;
  readonly properties: Json;
  /** Base64 by name; absent when Azure does not have them any more. */
  readonly protectedSettings?: Json;
}

/** What Azure has for the agents of a cluster. */
export interface ClusterState {
  readonly cluster: { readonly id: string; readonly properties: Json };
  readonly extensions: readonly { readonly name: string; readonly properties: Json }[];
  readonly fluxConfigurations: readonly FluxConfiguration[];
}

/** The side of the lab's Azure that agents talk to. */
export class AgentApi {
  readonly #url: string;

  /** `clusterId`: ARM id of the connected cluster. */
  constructor(armUrl: string, clusterId: string) {
    this.#url = `${armUrl}/lab/agent${clusterId}`;
  }

  /** Undefined when Azure knows no such cluster. */
  async state(): Promise<ClusterState | undefined> {
    const response = await fetch(this.#url, { headers });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`Azure answers the agent with ${response.status}.`);
    return (await response.json()) as ClusterState;
  }

  /** Posts a report; false when Azure does not have any more what it is about. */
  async post(path: string, body: Json): Promise<boolean> {
    const options = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#url}/${path}`, options);
    await response.text();
    if (!response.ok && response.status !== 404)
      throw new Error(`Azure answers ${path} with ${response.status}.`);
    return response.ok;
  }
}

const headers = { "x-lab-agent": "1" };
