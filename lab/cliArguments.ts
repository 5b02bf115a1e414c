import path from "node:path";

/** What the command line of `npm run lab` asks for. */
export type CliArguments =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string }
  /** Without a command it is a shell. */
  | { readonly kind: "run"; readonly dir: string; readonly command: readonly string[] };

export const usage = `Runs a command offline: with stand-ins for Azure, TLS keys and Kubernetes, and a Git server.

  npm run lab -- [--dir DIR] [--] COMMAND…    run COMMAND in the clone, with the lab around it
  npm run lab                                 a shell instead

  --dir DIR   where the lab keeps its state (default: .lab in the clone)
  --help      this text

Example: npm run lab -- pulumi preview --stack dev
The exit code is that of COMMAND; 2 is wrong usage, 1 a lab that cannot start.`;

/** Parses the arguments. Options end at the first word that is none, or at \`--\`. */
export function cliArguments(args: readonly string[], root: string): CliArguments {
  let dir = path.join(root, ".lab");
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") return { kind: "run", dir, command: args.slice(index + 1) };
    if (!arg.startsWith("-")) return { kind: "run", dir, command: args.slice(index) };
    if (arg === "--help" || arg === "-h") return { kind: "help" };
    const match = /^--dir(?:=(.*))?$/s.exec(arg);
    if (match === null) {
      return {
        kind: "wrong",
        message: `Unknown option '${arg}'. Options of COMMAND come after it, or after --.`,
      };
    }
    const value = match[1] ?? args[++index];
    if (value === undefined || value === "") return { kind: "wrong", message: "--dir needs a folder." };
    dir = path.resolve(value);
  }
  return { kind: "run", dir, command: [] };
}
