import path from "node:path";
import type { ClusterChoice } from "./cluster/clusterChoice.ts";
import { clusterChoice } from "./cluster/clusterChoice.ts";

/** What the command line of `npm run lab` asks for. */
export type CliArguments =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string }
  /** Without a command it is a shell. */
  | {
      readonly kind: "run";
      readonly dir: string;
      readonly command: readonly string[];
      /** A real Kubernetes, when one was asked for. */
      readonly kubernetes?: ClusterChoice;
    };

export const usage = `Runs a command offline: with stand-ins for Azure, TLS keys and Kubernetes, and a Git server.

  npm run lab -- [OPTIONS] [--] COMMAND…    run COMMAND in the clone, with the lab around it
  npm run lab -- [OPTIONS]                  a shell instead

  --dir DIR            where the lab keeps its state (default: .lab in the clone)
  --cluster            a real Kubernetes API with Flux, and Pulumi's own provider, in place of the stand-in;
                       the first time its programs are built, which takes a while
  --cluster-names A,B  names of the clusters and of their contexts (default: edge-device-0); implies --cluster
  --kubeconfig FILE    clusters that are there, with Flux on them, in place of those that --cluster starts:
                       the contexts that --cluster-names names, else the current one
  --help               this text

Example: npm run lab -- pulumi preview --stack dev
The exit code is that of COMMAND; 2 is wrong usage, 1 a lab that cannot start.`;

const valued = ["--dir", "--cluster-names", "--kubeconfig"] as const;

/** Parses the arguments. Options end at the first word that is none, or at \`--\`. */
export function cliArguments(args: readonly string[], root: string): CliArguments {
  const given: Partial<Record<(typeof valued)[number], string>> = {};
  let cluster = false;
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--" || !arg.startsWith("-")) break;
    if (arg === "--help" || arg === "-h") return { kind: "help" };
    if (arg === "--cluster") {
      cluster = true;
      continue;
    }
    const [name = "", ...rest] = arg.split("=");
    const option = valued.find((one) => one === name);
    if (option === undefined) {
      return {
        kind: "wrong",
        message: `Unknown option '${arg}'. Options of COMMAND come after it, or after --.`,
      };
    }
    const value = rest.length > 0 ? rest.join("=") : args[++index];
    if (value === undefined || value === "")
      return { kind: "wrong", message: `${option} needs ${needs[option]}.` };
    given[option] = value;
  }
  const command = args.slice(args[index] === "--" ? index + 1 : index);
  const dir = path.resolve(given["--dir"] ?? path.join(root, ".lab"));
  const kubernetes = clusterChoice({
    cluster,
    names: given["--cluster-names"],
    kubeconfig: given["--kubeconfig"],
  });
  if (typeof kubernetes === "string") return { kind: "wrong", message: kubernetes };
  return { kind: "run", dir, command, ...(kubernetes && { kubernetes }) };
}

const needs: Readonly<Record<(typeof valued)[number], string>> = {
  "--dir": "a folder",
  "--cluster-names": "names, with commas between them",
  "--kubeconfig": "a file",
};
