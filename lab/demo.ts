import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import type { ClusterChoice } from "./cluster/clusterChoice.ts";
import { clusterChoice } from "./cluster/clusterChoice.ts";
import { Demo } from "./demo/demo.ts";
import { emptyLabFolder } from "./demo/emptyLabFolder.ts";
import { startLab } from "./lab.ts";
import { projectRoot } from "./stack.ts";
import { bringClusterTools } from "./tools/bring.ts";

const usage = `npm run demo [-- [--cluster] [--verbose] [--dir DIR]]

Brings a cluster under Flux on this machine, with Pulumi's engine and Git, and stand-ins for the rest.
  --cluster          with a real Kubernetes API and real Flux too, and what Flux does there is shown; the first time
                     its programs are built, which takes a while
  --kubeconfig FILE  with the cluster of FILE's current context, Flux on it, in place of one that is started
  --verbose          each command with what it says, each file, and each claim that was checked
  --dir DIR          where everything goes, .lab/demo by default; emptied first when it is an earlier demo's`;

interface DemoArguments {
  readonly dir: string;
  readonly verbose: boolean;
  readonly kubernetes?: ClusterChoice;
}

/** What is asked for; a number is the exit code of a run that ends here. */
function readArguments(): DemoArguments | number {
  try {
    const { values } = parseArgs({
      options: {
        dir: { type: "string" },
        cluster: { type: "boolean", default: false },
        verbose: { type: "boolean", default: false },
        kubeconfig: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true) {
      process.stdout.write(`${usage}\n`);
      return 0;
    }
    const { cluster, kubeconfig } = values;
    const kubernetes = clusterChoice({ cluster, names: undefined, kubeconfig });
    if (typeof kubernetes === "string") throw new Error(kubernetes);
    return {
      verbose: values.verbose,
      dir: resolve(values.dir ?? join(projectRoot, ".lab", "demo")),
      ...(kubernetes && { kubernetes }),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return 2;
  }
}

async function main(): Promise<number> {
  const parsed = readArguments();
  if (typeof parsed === "number") return parsed;
  const { dir, verbose, kubernetes } = parsed;
  try {
    await emptyLabFolder(dir);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  if (kubernetes !== undefined) await bringClusterTools(projectRoot);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  // As Azure's extension has Flux run unless told otherwise.
  const clusters = kubernetes?.clusters?.map((cluster) => ({ ...cluster, lockdown: true }));
  const lab = await startLab({ dir, log: say, ...kubernetes, ...(clusters && { clusters }) });
  const stop = (): void => void lab.stop().finally(() => process.exit(130));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  let failed = true;
  try {
    await new Demo(lab, verbose).play();
    failed = false;
    return 0;
  } catch (error) {
    say(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    if (!verbose) say("Run it with --verbose to see what each command said.");
    const logs = lab.kubernetes?.clusters.map((cluster) => join(cluster.dir, "logs")) ?? [];
    if (logs.length > 0) say(`What the cluster's programs said is in ${logs.join(", ")}.`);
    return 1;
  } finally {
    await lab.stop({ keepLogs: failed });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`The demo cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
