import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Json } from "../azure/json.ts";
import type { Opened, ValuePath } from "./values.ts";
import { openSecrets, sealSecrets } from "./values.ts";

/** The plain values of a message, with the places of its secrets. */
export function fromStruct(message: Struct | undefined): Opened {
  return openSecrets(message?.toJavaScript() ?? {});
}

/** Values as a message, those at the given places as secrets. Fields that are undefined are left out. */
export function toStruct(values: Json, secrets: readonly ValuePath[] = []): Struct {
  const sealed = sealSecrets(values, secrets);
  // The message refuses undefined; JSON leaves it out.
  const clean = JSON.parse(JSON.stringify(sealed)) as Parameters<
    typeof structMessages.Struct.fromJavaScript
  >[0];
  return structMessages.Struct.fromJavaScript(clean);
}
