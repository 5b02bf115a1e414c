import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { Demo } from "./demo/demo.ts";
import { emptyLabFolder } from "./demo/emptyLabFolder.ts";
import { startLab } from "./lab.ts";
import { projectRoot } from "./stack.ts";

const usage = `npm run demo [-- --dir DIR]

Brings a cluster under Flux on this machine, with Pulumi's engine and Git, and stand-ins for the rest.
  --dir DIR   where everything goes, .lab/demo by default; emptied first when it is an earlier demo's`;

/** The folder asked for; a number is the exit code of a run that ends here. */
function readArguments(): string | number {
  try {
    const { values } = parseArgs({
      options: { dir: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help !== true) return resolve(values.dir ?? join(projectRoot, ".lab", "demo"));
    process.stdout.write(`${usage}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return 2;
  }
}

async function main(): Promise<number> {
  const dir = readArguments();
  if (typeof dir === "number") return dir;
  try {
    await emptyLabFolder(dir);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  const lab = await startLab({ dir });
  const stop = (): void => void lab.stop().finally(() => process.exit(130));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    await new Demo(lab).play();
    return 0;
  } catch (error) {
    process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await lab.stop();
  }
}

process.exitCode = await main();
