import { spawn } from "node:child_process";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import type { RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb.js";
import type { Children } from "./children.ts";
import { locateSdk, nodeOptions } from "./nodeOptions.ts";

/** Exit code of a program that has told the user already what is wrong. */
const alreadyReported = 32;

/** Runs the program to its end, as the stock host does: one `node …/cmd/run` with the request as arguments. */
export async function runProgram(
  request: RunRequest,
  engineAddress: string,
  children: Children,
): Promise<RunResponse> {
  const info = request.getInfo();
  const directory = info?.getProgramDirectory() ?? request.getPwd();
  const options = nodeOptions(info);
  const args = [
    ...options.nodeArgs,
    locateSdk("@pulumi/pulumi/cmd/run", directory),
    ...flags({
      monitor: request.getMonitorAddress(),
      engine: engineAddress,
      organization: request.getOrganization(),
      project: request.getProject(),
      "root-directory": info?.getRootDirectory() ?? "",
      stack: request.getStack(),
      pwd: directory,
    }),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    ...flags({ parallel: String(request.getParallel()) }),
    info?.getEntryPoint() ?? ".",
    ...request.getArgsList(),
  ];
  const child = spawn("node", args, {
    cwd: directory,
    env: {
      ...process.env,
      ...options.env,
      PULUMI_CONFIG: JSON.stringify(configFor(request)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  // Piped and not inherited: Node may change the mode of a stream that it shares with its child.
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(failed(`The program could not be started: ${error.message}`)));
    // "close" comes after the last output, "exit" may come before it.
    child.once("close", (code, signal) => resolve(outcome(code, signal)));
  });
}

function outcome(code: number | null, signal: string | null): RunResponse {
  if (code === 0) return new messages.RunResponse();
  if (code === alreadyReported) return new messages.RunResponse().setBail(true);
  return failed(
    code === null
      ? `Program ended by ${signal ?? "a signal"}`
      : `Program exited with non-zero exit code: ${code}`,
  );
}

function failed(message: string): RunResponse {
  return new messages.RunResponse().setError(message);
}

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === "" ? [] : [`--${name}`, value]));
}

/** The SDK expects `<namespace>:config:<name>`, the engine sends `<namespace>:<name>`. */
function configFor(request: RunRequest): Record<string, string> {
  const entries = request.getConfigMap().getEntryList();
  return Object.fromEntries(
    entries.map(([key, value]) => [key.replace(/^([^:]+):(?!config:)/, "$1:config:"), value]),
  );
}
