import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Lab } from "./lab.ts";
import { root } from "./lab.ts";

/**
 * Runs a command in the clone with the lab's environment, or the user's shell when there is none. Passes signals on
 * and resolves to the exit code: 127 when there is no such command, 128 and the signal's number when one ended it.
 */
export function runInLab(lab: Lab, command: readonly string[]): Promise<number> {
  const [program, ...args] = command.length > 0 ? command : [shell()];
  if (command.length === 0) console.error(hint(lab));
  const windows = process.platform === "win32";
  const child = spawn(program ?? shell(), args, {
    cwd: root,
    env: lab.env,
    stdio: "inherit",
    shell: windows,
  });
  const pass = (signal: NodeJS.Signals): void => {
    // On a terminal Ctrl-C has reached the command already; a second one would make Pulumi give up at once.
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, pass);
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const missing = error.code === "ENOENT";
      console.error(missing ? `There is no command '${program}' on PATH.` : error.message);
      resolve(missing ? 127 : 126);
    });
    child.once("exit", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

function shell(): string {
  return (
    process.env["SHELL"] ?? (process.platform === "win32" ? (process.env["ComSpec"] ?? "cmd.exe") : "/bin/sh")
  );
}

function hint(lab: Lab): string {
  const { kubernetes } = lab;
  const clusters = kubernetes
    ? `\nkubectl, and Pulumi, reach ${kubernetes.contexts.length > 1 ? "the contexts" : "the context"} ${kubernetes.contexts.join(", ")}.`
    : "";
  return `A shell in the lab; its state is in ${lab.dir}, its repository at ${lab.repositoryUrl}.${clusters}
Try:  pulumi stack select -c try && pulumi up
Leave with: exit`;
}
