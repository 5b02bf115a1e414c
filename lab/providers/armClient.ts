import { Agent, request as send } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ArmError } from "../azure/armError.ts";
import type { ArmId } from "../azure/armId.ts";
import { armTypes, formatArmId } from "../azure/armId.ts";
import type { Json } from "../azure/json.ts";
import { asObject } from "../azure/json.ts";

/** A resource and the version of the API that it is asked for in. */
export interface ArmTarget {
  readonly id: ArmId;
  readonly apiVersion: string;
}

/** For whom a request is made. */
export interface ArmCaller {
  /** Name of the resource in the Pulumi program, for rules of `faults.json`. Without one no fault is meant for the request. */
  readonly name?: string;
  /** Longest time for the whole operation. Defaults to no bound. */
  readonly seconds?: number;
}

/** How often a throttled request is sent again: as often as Azure's own clients do it. */
const retries = 3;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

/** Speaks to Azure Resource Manager as a provider does: follows operations to their end, and waits as it is told. */
export class ArmClient {
  readonly #url: string;
  // Hundreds of resources are made at once: connections are kept, and there are not too many.
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  /** `url` without a trailing slash. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Undefined when there is no such resource. */
  async get(target: ArmTarget, caller: ArmCaller = {}): Promise<Json | undefined> {
    try {
      return (await this.#retry("GET", addressOf(target), caller)).body;
    } catch (error) {
      if (error instanceof ArmError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Creates or updates, and gives the resource as it is in the end. */
  async put(target: ArmTarget, body: Json, caller: ArmCaller = {}): Promise<Json> {
    const begun = await this.#retry("PUT", addressOf(target), caller, body);
    if (!(await this.#followed(begun, caller))) return begun.body;
    return (await this.#retry("GET", addressOf(target), {})).body;
  }

  async delete(target: ArmTarget, caller: ArmCaller = {}): Promise<void> {
    await this.#followed(await this.#retry("DELETE", addressOf(target), caller), caller);
  }

  /** Waits for the end of the operation that an answer names; false when it names none. */
  async #followed({ headers }: Answer, { seconds }: ArmCaller): Promise<boolean> {
    const status = text(headers["azure-asyncoperation"]);
    const address = status ?? text(headers["location"]);
    if (address === undefined) return false;
    const end = seconds === undefined ? Infinity : Date.now() + seconds * 1000;
    for (;;) {
      const answer = await this.#retry("GET", this.#pathOf(address), {});
      if (status === undefined ? answer.status !== 202 : isOver(answer.body)) return true;
      const wait = retryAfter(answer) ?? 1;
      if (Date.now() + wait * 1000 > end) {
        throw new Error(`The operation was not over after ${seconds} s. Azure goes on with it: ${address}`);
      }
      await sleep(wait * 1000);
    }
  }

  async #retry(method: string, path: string, caller: ArmCaller, body?: Json): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#send(method, path, caller, body);
      if (answer.status < 400) return answer;
      if (answer.status !== 429 || attempt === retries) throw errorOf(answer.status, answer.body["error"]);
      await sleep((retryAfter(answer) ?? 1) * 1000);
    }
  }

  #send(method: string, path: string, { name }: ArmCaller, body?: Json): Promise<Answer> {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      // The lab's Azure takes any.
      authorization: "Bearer lab",
      ...(name === undefined ? { "x-lab-undisturbed": "true" } : { "x-lab-name": encodeURIComponent(name) }),
      ...(payload && { "content-type": "application/json", "content-length": payload.length }),
    };
    return new Promise((resolve, reject) => {
      const sent = send(`${this.#url}/`, { method, path, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject);
        response.once("end", () => {
          const { statusCode = 0 } = response;
          resolve({ status: statusCode, headers: response.headers, body: parse(Buffer.concat(chunks)) });
        });
      });
      sent.once("error", (error) =>
        reject(new Error(`The lab's Azure at ${this.#url} does not answer: ${error.message}`)),
      );
      sent.end(payload);
    });
  }

  #pathOf(address: string): string {
    return address.startsWith(this.#url) ? address.slice(this.#url.length) : new URL(address).pathname;
  }
}

/** Path and version; names may hold anything, for it is Azure that refuses them. */
function addressOf({ id, apiVersion }: ArmTarget): string {
  const cluster = id.cluster === undefined ? {} : { cluster: encodeURIComponent(id.cluster) };
  const resourceGroup = encodeURIComponent(id.resourceGroup);
  const name = id.type === armTypes.resourceGroup ? resourceGroup : encodeURIComponent(id.name);
  return `${formatArmId({ ...id, resourceGroup, ...cluster, name })}?api-version=${apiVersion}`;
}

/** Whether an operation has succeeded; throws when it has failed. */
function isOver({ status, error }: Json): boolean {
  if (status === "Failed" || status === "Canceled") throw errorOf(200, error);
  return status === "Succeeded";
}

function errorOf(status: number, error: unknown): ArmError {
  const { code, message } = asObject(error);
  const words = typeof message === "string" ? message : `HTTP status ${status}`;
  return new ArmError(status, typeof code === "string" ? code : "Unknown", words);
}

function retryAfter({ headers }: Answer): number | undefined {
  const seconds = Number(text(headers["retry-after"]) ?? NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function parse(body: Buffer): Json {
  try {
    return asObject(JSON.parse(body.toString("utf8")));
  } catch {
    return {};
  }
}
