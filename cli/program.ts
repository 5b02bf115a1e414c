import { Command, Option } from "commander";
import packageFile from "../package.json" with { type: "json" };
import { graphFormats } from "../flux/graphPrinters/index.ts";
import { registerApply } from "./apply.ts";
import { registerAdopt } from "./adopt.ts";
import { build, type BuildOptions } from "./build.ts";
import { diff, diffFormats, type DiffOptions } from "./diff.ts";
import { clusterOption, command, fleetFile, notEmpty } from "./command.ts";
import { registerAdd } from "./add.ts";
import { registerClone } from "./clone.ts";
import { registerComment } from "./comment.ts";
import { registerCommit } from "./commit.ts";
import { registerComponents } from "./components.ts";
import { registerCompare } from "./compare.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { registerDoctor } from "./doctor.ts";
import { registerDeployments } from "./deployments.ts";
import { registerEvents } from "./events.ts";
import { registerExisting } from "./existing.ts";
import { explain, type ExplainOptions } from "./explain.ts";
import { registerHistory } from "./history.ts";
import { graph, type GraphOptions } from "./graph.ts";
import { registerHotfix } from "./hotfix.ts";
import { registerInit } from "./init.ts";
import { ignoreOption } from "./ignoreOption.ts";
import { registerImpact } from "./impact.ts";
import { registerImport } from "./importFleet.ts";
import { render, type RenderOptions } from "./render.ts";
import { schema } from "./schema.ts";
import { registerPack } from "./pack.ts";
import { registerPage } from "./page.ts";
import { registerPolicy } from "./policy.ts";
import { registerPromote } from "./promote.ts";
import { registerReconcile } from "./reconcile.ts";
import { registerRelease } from "./release.ts";
import { registerRemove } from "./remove.ts";
import { registerRevoke } from "./revoke.ts";
import { registerRollback } from "./rollback.ts";
import { registerRollout } from "./rollout.ts";
import { registerRotate } from "./rotate.ts";
import { registerSecrets } from "./secrets.ts";
import { registerStacks } from "./stacks.ts";
import { registerStatus } from "./status.ts";
import { registerSuspend } from "./suspend.ts";
import type { Terminal } from "./terminal.ts";
import { registerUpgrade } from "./upgrade.ts";
import { validate, type ValidateOptions } from "./validate.ts";
import { registerWait } from "./wait.ts";
import { registerWhy } from "./why.ts";
import { registerWindow } from "./window.ts";

/** The command line: what there is, what it takes, what it says about itself. `done` takes the code of the command run. */
export function arcfluxProgram(terminal: Terminal, done: (code: ExitCode) => void): Command {
  const program = new Command("arcflux")
    .description(
      "Checks, renders and explains the fleet file of an Arcflux project, and says what its clusters run.",
    )
    .version(packageFile.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError("Run arcflux --help, or arcflux help <command>, to see what there is.")
    .addHelpText(
      "after",
      [
        "",
        "Results go to standard output, findings and failures to standard error; with",
        "--json everything is one document on standard output.",
        "",
        "Exit codes:",
        `  ${exitCodes.done}  done, perhaps with warnings`,
        `  ${exitCodes.failed}  failed: a repository that cannot be read, a set that does not build`,
        `  ${exitCodes.input}  wrong usage, or a fleet file with errors`,
        `  ${exitCodes.production}  a change reaches a stage that says production: true, or takes a guard of it away (impact)`,
        `  ${exitCodes.behind}  a cluster is behind or failing, or was not ready in time`,
        "",
        "Environment:",
        "  ARCFLUX_REPOSITORY_URL  takes the place of repository.url, as in the program",
        "  ARCFLUX_GIT_TOKEN       token for reading a repository over HTTPS",
        "  ARCFLUX_ALL             why an update may reach more clusters than limits lets",
        "  ARM_SUBSCRIPTION_ID     subscription of the clusters; all that you may read without it",
        "  ARM_*, AZURE_*          how to sign in to Azure; az login will do",
        "  KUBECONFIG              where the contexts of clusters stand",
        "  NO_COLOR                no colour on a terminal; there is none anywhere else",
      ].join("\n"),
    );

  command(
    program,
    "validate",
    "Say everything that is wrong with a fleet file, each with its line and column.",
    [
      "arcflux validate",
      "arcflux validate fleet.yaml --repo ../fleet      # also against a folder as it lies on disk",
      "arcflux validate --strict --repo                 # against the repository that the fleet file names",
      "arcflux validate stores/fleet.yaml --json",
    ],
  )
    .addArgument(fleetFile())
    .option(
      "--repo [path or URL]",
      "also check against this repository: a folder, a bare repository or a URL. Default: the fleet's own URL",
      notEmpty,
    )
    .option("--strict", "take warnings for errors")
    .addOption(ignoreOption())
    .option("--json", "print the findings as JSON on standard output")
    .action(async (file: string, options: ValidateOptions) => done(await validate(file, options, terminal)));

  command(
    program,
    "render",
    "Print the files that an update commits, as one YAML stream, or write them below a folder.",
    [
      "arcflux render --cluster edge-device-0",
      "arcflux render fleet.yaml --out rendered         # rendered/clusters/edge-device-0/flux/…",
      "arcflux render --json",
    ],
  )
    .addArgument(fleetFile())
    .addOption(clusterOption())
    .option("--out <dir>", "write the files below this folder, under their paths in the repository", notEmpty)
    .option("--json", "print the files and findings as JSON on standard output")
    .action(async (file: string, options: RenderOptions) => done(await render(file, options, terminal)));

  command(
    program,
    "explain",
    "Print what a cluster or one of its sets resolves to, each value with where it comes from.",
    [
      "arcflux explain edge-device-0",
      "arcflux explain edge-device-0 pos",
      "arcflux explain edge-device-0 pos --file stores/fleet.yaml --json",
    ],
  )
    .argument("<cluster>", "name of the cluster")
    .argument("[set]", "name of one of its sets")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the values and findings as JSON on standard output")
    .action(async (cluster: string, set: string | undefined, options: ExplainOptions) =>
      done(await explain(cluster, set, options, terminal)),
    );

  command(
    program,
    "graph",
    "Draw what the sets of a cluster need: of each other, their sources and windows.",
    [
      "arcflux graph --cluster edge-device-0            # Mermaid, which GitHub and Azure DevOps draw",
      "arcflux graph --format dot | dot -Tsvg > fleet.svg",
      "arcflux graph fleet.yaml --format json",
    ],
  )
    .addArgument(fleetFile())
    .addOption(
      new Option("--format <format>", "how to write it: mermaid is of one cluster")
        .choices(graphFormats)
        .default("mermaid"),
    )
    .addOption(clusterOption())
    .option("--json", "the same as --format json")
    .action(async (file: string, options: GraphOptions) => done(await graph(file, options, terminal)));

  command(
    program,
    "build",
    "Print what Flux will apply to a cluster, set by set, as its controllers build it.",
    [
      "arcflux build edge-device-0                      # from the repository, with what an update writes",
      "arcflux build edge-device-0 pos --variables",
      "arcflux build edge-device-0 --repo ../fleet --json",
    ],
  )
    .argument("<cluster>", "name of the cluster")
    .argument("[set]", "name of one of its sets")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--repo <path or URL>", "the repository, where it is not the fleet's own URL", notEmpty)
    .option("--variables", "also print the variables of each set")
    .addOption(ignoreOption())
    .option("--json", "print the objects and findings as JSON on standard output")
    .action(async (cluster: string, set: string | undefined, options: BuildOptions) =>
      done(await build(cluster, set, options, terminal)),
    );

  command(
    program,
    "diff",
    "Say what changes on clusters, by meaning: what Flux creates, changes, deletes and restarts.",
    [
      "arcflux diff                                     # what an update does to the repository as it is",
      "arcflux diff --base origin/main --format markdown",
      "arcflux diff --stage dev --stage prod            # what a promotion brings",
      "arcflux diff --server --cluster edge-device-0    # what its API server says, by a dry run",
    ],
  )
    .addArgument(fleetFile())
    .addOption(clusterOption())
    .option("--repo <path or URL>", "the repository, where it is not the fleet's own URL", notEmpty)
    .option("--base <ref>", "compare with the fleet file as it was at this commit of its clone", notEmpty)
    .addOption(
      new Option("--stage <name>", "given twice: where changes come from, and where they go").argParser(
        (name: string, names: readonly string[] = []) => [...names, name],
      ),
    )
    .option("--server", "ask the clusters by a dry run of what Flux will apply, through your kubeconfig")
    .addOption(ignoreOption())
    .addOption(new Option("--format <format>", "how to write it").choices(diffFormats).default("text"))
    .option("--json", "the same as --format json")
    .action(async (file: string, options: DiffOptions) => done(await diff(file, options, terminal)));

  command(
    program,
    "schema",
    "Print the JSON Schema of the fleet file, for completion and checks in an editor.",
    ["arcflux schema > fleet.schema.json"],
  )
    .option("--json", "it is JSON in any case")
    .action(() => done(schema(terminal)));

  registerImport(program, terminal, done);

  const dayTwo = [
    registerInit,
    registerAdd,
    registerRemove,
    registerClone,
    registerCompare,
    registerStatus,
    registerWait,
    registerReconcile,
    registerEvents,
    registerAdopt,
    registerHistory,
    registerPage,
    registerWhy,
    registerSuspend,
    registerWindow,
    registerCommit,
    registerComment,
    registerDeployments,
    registerStacks,
    registerPromote,
    registerRollback,
    registerRollout,
    registerHotfix,
    registerExisting,
    registerSecrets,
    registerRotate,
    registerRevoke,
    registerRelease,
    registerDoctor,
    registerImpact,
    registerApply,
    registerPack,
    registerUpgrade,
    registerComponents,
    registerPolicy,
  ];
  for (const register of dayTwo) register(program, terminal, done);

  return program;
}
