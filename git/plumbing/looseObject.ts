import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, deflate } from "node:zlib";
import { objectId } from "./tree.ts";
import type { ObjectId } from "../words/types.ts";

const compress = promisify(deflate);

/** Writes one object into a repository that nobody else writes to; `digits` tells its object format. */
export async function storeLoose(
  repository: string,
  type: "blob" | "tree",
  content: Buffer,
  digits: number,
): Promise<ObjectId> {
  const id = objectId(type, content, digits);
  const folder = join(repository, "objects", id.slice(0, 2));
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id.slice(2)), await compress(whole, { level: constants.Z_BEST_SPEED }));
  return id;
}
