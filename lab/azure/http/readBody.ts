import type { IncomingMessage } from "node:http";
import { ArmError } from "../armError.ts";
import type { Json } from "../json.ts";
import { isObject } from "../json.ts";

/** What ARM takes: 4 MiB. */
const limit = 4 * 1024 * 1024;

/** The JSON object in the body of a request; an empty one when it has none. Throws an ArmError that shows nothing of it. */
export async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped, so that the caller sees the answer and not a broken connection.
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) {
    throw new ArmError(
      413,
      "RequestContentTooLarge",
      `The request content has ${size} bytes; ${limit} are allowed.`,
    );
  }
  if (size === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    parsed = undefined;
  }
  if (isObject(parsed)) {
    if (isDeep(parsed)) {
      throw new ArmError(
        400,
        "InvalidRequestContent",
        `The request content is invalid: it has more than ${deepest} levels.`,
      );
    }
    return parsed;
  }
  throw new ArmError(
    400,
    "InvalidRequestContent",
    "The request content is invalid: it must be a JSON object.",
  );
}

const deepest = 100;

/** Without recursion, which very deep JSON would bring to its end. */
function isDeep(body: Json): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : [],
    );
  }
  return false;
}
