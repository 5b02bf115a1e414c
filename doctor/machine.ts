import { execFile } from "node:child_process";
import { promisify } from "node:util";
import semver from "semver";
import packageFile from "../package.json" with { type: "json" };
import { type Checkup, lookedAt } from "./checkup.ts";

/** Runs a program of this machine and gives what it prints. Rejects where it is missing or fails. */
export type RunTool = (program: string, args: readonly string[]) => Promise<string>;

const runTool: RunTool = async (program, args) =>
  (await promisify(execFile)(program, args, { timeout: 20_000 })).stdout;

/** Reads its config from the environment from here on. */
const leastGit = "2.31.0";

/** The SDK speaks to engines of its own major version; from here on they know what the program asks of them. */
const leastPulumi = "3.219.0";

/** Programs that an update needs on this machine, and their versions. */
export async function checkMachine(
  nodeVersion = process.versions.node,
  run: RunTool = runTool,
): Promise<Checkup[]> {
  const looks = await Promise.all([
    lookedAt("git", () => tool("git", ["version"], leastGit, "https://git-scm.com/downloads", run)),
    lookedAt("Pulumi", () => tool("pulumi", ["version"], leastPulumi, "npm run setup", run)),
  ]);
  return [node(nodeVersion), ...looks.flat()];
}

function node(version: string): Checkup {
  const range = packageFile.engines.node;
  if (semver.satisfies(version, range)) return { about: "Node", state: "ok", text: `version ${version}` };
  return {
    ...{ about: "Node", state: "error", text: `version ${version} is too old: Arcflux runs on ${range}` },
    mend: "Install a current Node, or run `npm run setup`, which brings one",
  };
}

async function tool(
  program: string,
  args: readonly string[],
  least: string,
  from: string,
  run: RunTool,
): Promise<Checkup[]> {
  const about = program === "pulumi" ? "Pulumi" : program;
  let said: string;
  try {
    said = await run(program, args);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const text = missing ? `${program} is not on the PATH` : `${program} does not run`;
    return [{ about, state: "error", text, mend: `Install ${least} or newer: ${from}` }];
  }
  const version = semver.coerce(said)?.version;
  if (version === undefined)
    return [{ about, state: "unknown", text: `${program} says no version that is understood` }];
  if (semver.gte(version, least)) return [{ about, state: "ok", text: `version ${version}` }];
  const text = `version ${version} is too old; ${least} or newer is needed`;
  return [{ about, state: "error", text, mend: `Install it: ${from}` }];
}
