import { setTimeout as wait } from "node:timers/promises";

import type { CheckResult, DiffResult, Provider, ReadResult } from "@pulumi/pulumi/provider/provider.js";

import type { ApplyWorld } from "../apply/index.ts";
import { installFlux, InstallError, keptManifests, missingOfFlux, removeFlux } from "../install/index.ts";
import { ClusterError, objectsIn, type ObjectApi } from "../status/index.ts";
import { defined } from "../values/maps.ts";
import { showSome } from "../values/show.ts";
import { containsUnknown, revealed } from "./markers.ts";
import { ownerOf } from "./provenance.ts";
import type { Warn } from "./writes.ts";

type Properties = Readonly<Record<string, unknown>>;

/** The cluster behind a kubeconfig and a context in it; the user's own and its current one where they are undefined. */
export type OpenCluster = (kubeconfig: string | undefined, context: string | undefined) => Promise<ObjectApi>;

const inputNames = ["manifests", "version", "bootstrap", "kubeconfig", "context"] as const;

/** The FluxInstall resource. Its state is its inputs, as they came, with whom the cluster's inventory names. */
export class FluxInstallPlugin implements Provider {
  readonly version: string;
  readonly #warn: Warn;
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;
  readonly #open: OpenCluster;

  constructor(
    version: string,
    warn: Warn,
    env: NodeJS.ProcessEnv,
    signal: AbortSignal,
    open: OpenCluster = objectsIn,
  ) {
    this.version = version;
    this.#warn = warn;
    this.#env = env;
    this.#signal = signal;
    this.#open = open;
  }

  check(_urn: string, _olds: Properties, news: Properties): Promise<CheckResult> {
    const needed = ["manifests", "version", "bootstrap"] as const;
    const missing = needed.filter((name) => news[name] === undefined);
    const unknown = Object.keys(news).filter((name) => !inputNames.some((known) => known === name));
    const reasons = [
      ...missing.map((name) => `${name}: is missing.`),
      ...unknown.map((name) => `${name}: FluxInstall has no such input.`),
    ];
    return Promise.resolve({ inputs: news, failures: reasons.map((reason) => ({ property: "", reason })) });
  }

  /** Nothing is ever replaced. What a refresh found missing is put back. */
  diff(_id: string, _urn: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const differs = inputNames.some(
      (name) => containsUnknown(news[name]) || textOf(olds, name) !== textOf(news, name),
    );
    return Promise.resolve({ changes: differs || olds["missing"] !== undefined });
  }

  async create(urn: string, inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const owner = ownerOf(urn, {});
    return { id: owner, outs: await this.#install(owner, inputs, owner) };
  }

  async update(id: string, _urn: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    // A cluster that was renamed keeps the owner that its inventory names.
    return { outs: await this.#install(textOf(olds, "owner") ?? id, news, id) };
  }

  /** What of Flux is missing on the cluster. One that does not answer is as it was. */
  async read(id: string, urn: string, props: Properties = {}): Promise<ReadResult> {
    const owner = textOf(props, "owner");
    if (owner === undefined)
      throw new Error("FluxInstall cannot be imported: Arcflux takes over no Flux that others installed.");
    const rest = defined({ ...props, missing: undefined });
    try {
      const missing = await missingOfFlux(owner, await this.#cluster(props));
      if (missing === undefined) {
        await this.#warn(
          urn,
          "the cluster has no inventory of this Flux: counted as deleted, and installed again by the next update.",
        );
        return { id: "", props: {} };
      }
      if (missing.length === 0) return { id, props: rest };
      await this.#warn(urn, `missing on the cluster: ${showSome(missing)}. The next update puts them back.`);
      return { id, props: { ...rest, missing } };
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      await this.#warn(urn, `not looked at: ${error.message}. Taken as it was.`);
      return { id, props };
    }
  }

  async delete(id: string, urn: string, props: Properties): Promise<void> {
    const world = await this.#world(props);
    try {
      const bootstrap = textOf(props, "bootstrap") ?? "";
      const stays = await removeFlux(textOf(props, "owner") ?? id, bootstrap, world);
      if (stays.length > 0) await this.#warn(urn, stays.join("\n"));
    } catch (error) {
      if (!(error instanceof InstallError)) throw error;
      throw new Error(`${error.message}\nTo leave Flux there and let go of it: pulumi state delete '${urn}'`);
    }
  }

  async #install(owner: string, inputs: Properties, id: string): Promise<Properties> {
    const sha256 = textOf(inputs, "manifests") ?? "";
    const manifests = await keptManifests(sha256, this.#env);
    if (manifests === undefined)
      throw new Error(
        `Flux's manifests ${sha256} are not in the cache of this machine. Run \`pulumi up\` again.`,
      );
    const outs = { ...inputs, owner };
    try {
      await installFlux(owner, manifests, await this.#world(inputs));
      return outs;
    } catch (error) {
      // With an id the engine keeps what is there, so that a destroy takes it off.
      if (error instanceof InstallError && error.isThere)
        throw Object.assign(error, { id, properties: outs, reasons: [error.message] });
      throw error;
    }
  }

  async #world(props: Properties): Promise<ApplyWorld> {
    return {
      api: await this.#cluster(props),
      sleep: (milliseconds) => wait(milliseconds, undefined, { signal: this.#signal }),
      now: () => Date.now(),
    };
  }

  #cluster(props: Properties): Promise<ObjectApi> {
    return this.#open(textOf(props, "kubeconfig"), textOf(props, "context"));
  }
}

/** A property as text, also where it is a secret; undefined where it is not there. */
function textOf(props: Properties, name: string): string | undefined {
  const value = revealed(props[name]);
  return typeof value === "string" && value !== "" ? value : undefined;
}
