import { readFile } from "node:fs/promises";
import type { PlainMap } from "../fleet/model.ts";
import { asMap, asText, isMap } from "../values/maps.ts";
import { readYaml } from "../values/readYaml.ts";
import { show } from "../values/show.ts";
import { UsageError } from "./fleetCommand.ts";

/** Secrets and ConfigMaps of a file. Throws UsageError, which never quotes what stands in it. */
export async function secretsOf(file: string): Promise<PlainMap[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `${show(file)} cannot be read (${error.code ?? "unknown error"}). Correct --secrets-from.`,
    );
  });
  const read = readYaml(text, { version: "1.1" });
  if ("fault" in read) throw new UsageError(`${show(file)} ${read.fault}. Correct it.`);
  const isTaken = (value: unknown): value is PlainMap => {
    const { apiVersion, kind, metadata } = asMap(value);
    const isKind = apiVersion === "v1" && (kind === "Secret" || kind === "ConfigMap");
    return isMap(value) && isKind && asText(asMap(metadata)["name"]) !== undefined;
  };
  const taken = read.documents.filter(isTaken);
  if (taken.length < read.documents.length || taken.length === 0)
    throw new UsageError(
      `${show(file)} has ${read.documents.length - taken.length} of ${read.documents.length} documents that are not a Secret or ConfigMap of v1 with a name. Take them out.`,
    );
  return taken;
}
