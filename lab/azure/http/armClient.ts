import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ArmError } from "../armError.ts";
import type { ArmId, ArmType } from "../armId.ts";
import { formatArmId } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

/** Azure's interface versions that azure-native speaks. */
const versions: Readonly<Record<ArmType, string>> = {
  resourceGroups: "2024-03-01",
  connectedClusters: "2024-02-01-preview",
  extensions: "2023-05-01",
  fluxConfigurations: "2023-05-01",
};

/** Azure as the stand-in of Pulumi's provider sees it: over HTTP, each call until its operation has ended. */
export class ArmClient {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = url;
  }

  /** The resource, or undefined when there is none. */
  async get(id: ArmId): Promise<Json | undefined> {
    try {
      return (await this.#send("GET", this.#path(id))).body;
    } catch (error) {
      // A name that no resource can have is no reason to fail a look either.
      if (error instanceof ArmError && (error.status === 404 || error.code === "InvalidResourceId"))
        return undefined;
      throw error;
    }
  }

  /** Creates or replaces a resource, and gives it as it is when that is done. */
  async put(id: ArmId, body: Json): Promise<Json> {
    const answer = await this.#send("PUT", this.#path(id), body);
    if (!(await this.#finish(answer))) return answer.body;
    return (await this.#send("GET", this.#path(id))).body;
  }

  /** One that is not there is no error. */
  async delete(id: ArmId): Promise<void> {
    await this.#finish(await this.#send("DELETE", this.#path(id)));
  }

  /** Waits for the end of an operation; false when the answer began none. */
  async #finish({ headers }: Answer): Promise<boolean> {
    const url = headers["azure-asyncoperation"];
    if (typeof url !== "string") return false;
    const { pathname, search } = new URL(url);
    for (let wait = 5; ; wait = Math.min(wait * 2, 500)) {
      const { body, headers: polled } = await this.#send("GET", pathname + search);
      if (body["status"] === "Succeeded") return true;
      if (body["status"] === "Failed") {
        const { code, message } = asObject(body["error"]);
        throw new ArmError(500, String(code), String(message));
      }
      await sleep(Math.max(wait, Number(polled["retry-after"] ?? 0) * 1000));
    }
  }

  #path(id: ArmId): string {
    const path = formatArmId(id).split("/").map(encodeURIComponent).join("/");
    return `${path}?api-version=${versions[id.type]}`;
  }

  async #send(method: string, path: string, body?: Json): Promise<Answer> {
    const answer = await this.#once(method, path, body);
    if (answer.status < 400) return answer;
    const { code, message } = asObject(answer.body["error"]);
    throw new ArmError(answer.status, String(code), String(message));
  }

  #once(method: string, path: string, body: Json | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        Authorization: "Bearer lab",
        "X-Lab-Stand-In": "1",
        ...(body && { "Content-Type": "application/json" }),
      };
      const sent = request(new URL(path, this.#url), { method, headers, agent: this.#agent }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", reject);
        response.on("end", () => {
          const parsed = text === "" ? {} : asObject(JSON.parse(text));
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
        });
      });
      sent.on("error", (error) => reject(new Error(`The lab's Azure cannot be reached: ${error.message}`)));
      sent.end(body && JSON.stringify(body));
    });
  }
}
