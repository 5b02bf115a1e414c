import type { Arm } from "../arm.ts";
import { ArmError } from "../armError.ts";
import { armTypes, subscriptionId } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import type { Reply } from "../http/reply.ts";
import { runQuery } from "./query.ts";

/** Where Resource Graph is asked. */
export const graphPath = "/providers/microsoft.resourcegraph/resources";

/** Azure gives so many rows at most. */
const most = 1000;

/** Answers a query of Resource Graph over the resources of the lab, page by page. Throws an ArmError to refuse one. */
export function answerGraph(arm: Arm, body: Json): Reply {
  const options = asObject(body["options"]);
  const top = Math.min(Number(options["$top"] ?? most), most);
  const from = skipFrom(options["$skipToken"]);
  const subscriptions = body["subscriptions"];
  const seen = !Array.isArray(subscriptions) || subscriptions.includes(subscriptionId);
  const rows = seen ? runQuery(String(body["query"]), tablesOf(arm)) : [];
  const data = rows.slice(from, from + top);
  const more = from + data.length < rows.length;
  // Azure pages only what it can tell apart.
  const token = more && data.every((row) => "id" in row) ? String(from + data.length) : undefined;
  return {
    status: 200,
    body: {
      ...{ totalRecords: rows.length, count: data.length, data, facets: [] },
      resultTruncated: more && token === undefined ? "true" : "false",
      ...(token !== undefined && { $skipToken: Buffer.from(token).toString("base64") }),
    },
  };
}

function skipFrom(token: unknown): number {
  if (typeof token !== "string" || token === "") return 0;
  const from = Number(Buffer.from(token, "base64").toString());
  if (Number.isInteger(from) && from > 0) return from;
  throw new ArmError(400, "BadRequest", "The $skipToken is not one of an earlier answer.");
}

/** The tables as Azure lays them out: types in lower case, and the fields of extensions with a capital. */
function tablesOf(arm: Arm): Record<string, Json[]> {
  const row = (id: Parameters<Arm["get"]>[0]): Json => {
    const found = arm.get(id) ?? {};
    const properties = asObject(found["properties"]);
    return {
      ...found,
      type: String(found["type"]).toLowerCase(),
      resourceGroup: id.resourceGroup.toLowerCase(),
      subscriptionId,
      properties: id.type === armTypes.extension ? capitalised(properties) : properties,
    };
  };
  const clusters = arm.clusters();
  return {
    resources: clusters.map(row),
    kubernetesconfigurationresources: clusters.flatMap((cluster) => [
      ...arm.children(cluster, "fluxConfigurations").map(row),
      ...arm.children(cluster, "extensions").map(row),
    ]),
  };
}

function capitalised(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [`${key.charAt(0).toUpperCase()}${key.slice(1)}`, inner]),
  );
}
