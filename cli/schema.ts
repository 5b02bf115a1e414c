import { fleetJsonSchema } from "../fleet/schema.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { json, type Terminal } from "./terminal.ts";

/** `arcflux schema`: the JSON Schema of the fleet file, for editors. It is JSON with and without --json. */
export function schema(terminal: Terminal): ExitCode {
  terminal.out(json(JSON.parse(fleetJsonSchema())));
  return exitCodes.done;
}
