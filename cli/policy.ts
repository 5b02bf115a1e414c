import { readFile } from "node:fs/promises";
import { saidOnce, violationFindings } from "../review/index.ts";
import { isMap } from "../values/maps.ts";
import { chosenClusters, type ClusterChoice } from "./askFleet.ts";
import { command, fleetFile, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { plural, report } from "./report.ts";
import type { Terminal } from "./terminal.ts";
import { seen } from "./verdict.ts";

export interface PolicyTestOptions extends ClusterChoice {
  readonly json?: boolean;
  readonly config?: string;
  /** The repository that pins and changes are looked up in; `true` for the fleet's own. */
  readonly repo?: string | true;
}

export const registerPolicy: Register = (program, terminal, done) => {
  const policy = program.command("policy").description("Try the policy pack.");
  command(policy, "test", "Run the policies on a fleet, without Pulumi, Azure or a cluster.", [
    "arcflux policy test                              # exit code 1 when a mandatory policy is violated",
    "arcflux policy test --config policy-config.json  # with levels, thresholds and exemptions",
    "arcflux policy test --repo                       # also what the update would change in the repository",
  ])
    .addArgument(fleetFile())
    .option("--config <file>", "levels and settings, as --policy-pack-config takes them", notEmpty)
    .option("--repo [url]", "look up pins and changes in this repository, or in the fleet's own")
    .option("--json", "print what was found as JSON on standard output")
    .action(async (file: string, options: PolicyTestOptions) =>
      done(await policyTest(file, options, terminal)),
    );
};

/** `arcflux policy test`: what the pack says of what the program would register. */
export function policyTest(file: string, options: PolicyTestOptions, terminal: Terminal): Promise<ExitCode> {
  const empty = { compliant: false, violations: [] };
  return fleetCommand(file, options, terminal, empty, async (loaded) => {
    const { finding } = loaded;
    const fleet = { ...loaded.fleet, clusters: chosenClusters(loaded.fleet, options) };
    // Loaded for this command alone, with Pulumi behind them.
    const [{ configFaults, runPolicies }, { trialResources }, { fleetFacts }] = await Promise.all([
      import("../policy/trial.ts"),
      import("../program/trialResources.ts"),
      import("../program/fleetFacts.ts"),
    ]);
    const config = options.config === undefined ? {} : await readConfig(options.config);
    const faults = configFaults(config);
    if (faults.length > 0)
      throw new UsageError(faults.map((fault) => `${options.config}: ${fault}`).join("\n"));
    const { repo } = options;
    const declared = loaded.fleet.clusters;
    const facts =
      repo === undefined
        ? await fleetFacts(fleet, declared, undefined)
        : (
            await seen({ fleet, finding }, { terminal, repo: repo === true ? undefined : repo }, (look) =>
              fleetFacts(fleet, declared, look),
            )
          ).value;
    const resources = await trialResources(fleet, facts);
    const violations = await runPolicies(resources, config);
    const found = violationFindings(violations, fleet, finding);
    const names = fleet.clusters.map(({ name }) => name);
    const failed = violations.some(({ mandatory }) => mandatory);
    return {
      document: { compliant: !failed, violations: found },
      print: () => {
        report(saidOnce(found, names), terminal);
        const clusters = plural(fleet.clusters.length, "cluster");
        if (found.length === 0) terminal.out(`${file} holds to all policies: ${clusters}.\n`);
      },
      code: failed ? exitCodes.failed : exitCodes.done,
    };
  });
}

async function readConfig(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const config: unknown = JSON.parse(await readFile(file, "utf8"));
    if (isMap(config)) return config;
  } catch (error) {
    throw new UsageError(`${file} could not be read as JSON: ${(error as Error).message}`);
  }
  throw new UsageError(`${file} is not a map; write {"policy": {"enforcementLevel": …}}.`);
}
