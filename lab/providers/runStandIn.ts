import { parseArgs } from "node:util";
import { endWithParent } from "../endWithParent.ts";
import { FaultInjector } from "../faults.ts";
import { serveStandIn } from "./serveStandIn.ts";
import type { StandIn } from "./standIn.ts";

/** Exit code that tells the lab that the port is taken. */
export const portTaken = 98;

/**
 * The process of a stand-in: `node <file> --dir DIR [--arm URL] [--port PORT] [--parent PID]`. Prints the port as its first line, serves until
 * it is told to stop or the lab is gone.
 */
export async function runStandIn(create: (dir: string, arm?: string) => StandIn): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: "string" },
      arm: { type: "string" },
      port: { type: "string", default: "0" },
      parent: { type: "string" },
    },
  });
  if (values.dir === undefined) throw new Error("--dir is missing: the folder of the lab.");
  const { parent } = values;
  endWithParent(() => process.exit(0), {
    watchInput: true,
    ...(parent !== undefined && { parent: Number(parent) }),
  });
  process.on("SIGTERM", () => process.exit(0));
  // Ctrl-C reaches the whole foreground group. The lab stops its stand-ins itself, after the command has ended.
  process.on("SIGINT", () => undefined);
  try {
    const served = await serveStandIn(
      create(values.dir, values.arm),
      new FaultInjector(values.dir),
      Number(values.port),
    );
    console.log(String(served.port));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(/EADDRINUSE|No address added/.test(String(error)) ? portTaken : 1);
  }
}
