import { z } from "zod";
import { ArmError } from "../armError.ts";
import type { Json } from "../json.ts";
import type { Agents } from "./agents.ts";
import type { Reply } from "./reply.ts";

/** Where the agents of a cluster ask and tell; no part of ARM. */
export const agentPath = "/lab/agent/";

/** How long a question for new work is kept open, in seconds. */
const longest = 25;

const hello = z.object({
  clusterId: z.string(),
  time: z.string(),
  signature: z.string(),
  kubernetesVersion: z.string(),
  agentVersion: z.string(),
  totalNodeCount: z.number(),
  totalCoreCount: z.number(),
});

const report = z.object({
  type: z.enum(["extensions", "fluxConfigurations"]),
  name: z.string(),
  operationId: z.string().exactOptional(),
  properties: z.record(z.string(), z.unknown()).exactOptional(),
  ends: z.string().exactOptional(),
  error: z.string().exactOptional(),
});

export interface AgentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
  /** Bearer token; that of `connect` for all other requests. */
  readonly token: string;
}

/** Answers the requests of agents. Throws an ArmError to refuse one. */
export async function answerAgent(agents: Agents, request: AgentRequest): Promise<Reply> {
  const { method, path, query, body, token } = request;
  switch (`${method} ${path.slice(agentPath.length)}`) {
    case "POST connect":
      return { status: 200, body: { token: agents.connect(parse(hello, body)) } };
    case "POST installed":
      agents.installed(parse(hello, body));
      return { status: 204 };
    case "POST disconnect":
      agents.disconnect(token);
      return { status: 204 };
    case "POST report":
      agents.report(token, parse(report, body));
      return { status: 204 };
    case "GET work": {
      const number = (name: string, most: number): number =>
        Math.min(Math.max(Number(query.get(name) ?? 0) || 0, -1), most);
      const work = await agents.work(token, number("after", Infinity), number("seconds", longest));
      return { status: 200, body: work };
    }
    default:
      throw new ArmError(404, "NotFound", `The lab has no ${method} ${path}.`);
  }
}

function parse<T>(schema: z.ZodType<T>, body: Json): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ArmError(400, "InvalidRequestContent", z.prettifyError(parsed.error));
}
