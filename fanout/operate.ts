import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  CommandError,
  LocalWorkspace,
  type Stack,
  StackNotFoundError,
} from "@pulumi/pulumi/automation/index.js";

export const operations = ["preview", "up", "refresh"] as const;
export type Operation = (typeof operations)[number];

export interface OperateOptions {
  /** Folder of Pulumi.yaml. */
  readonly folder: string;
  /** File that gets everything the engine says; made anew. */
  readonly log: string;
  /** Folders of policy packs. */
  readonly policyPacks: readonly string[];
}

/** Runs an operation on one stack by Pulumi's Automation API, and says what it did. Rejects with a message for people. */
export async function operate(
  stackName: string,
  operation: Operation,
  options: OperateOptions,
): Promise<string> {
  const { folder, log, policyPacks } = options;
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, "");
  const said = {
    ...{
      onOutput: (text: string) => appendFileSync(log, text),
      onError: (text: string) => appendFileSync(log, text),
    },
    ...{ color: "never" as const, suppressProgress: true },
  };
  try {
    const stack = await selected(stackName, folder);
    return changesText(await changesOf(stack, operation, said, policyPacks));
  } catch (error) {
    if (error instanceof StackNotFoundError)
      throw new Error(`There is no such stack. Make it: pulumi stack init ${stackName}`, { cause: error });
    if (!(error instanceof CommandError)) throw error;
    throw new Error(`${reasonOf(error)} All it said: ${log}`, { cause: error });
  }
}

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: selecting writes a file of the user's that all stacks share. */
function selected(stackName: string, workDir: string): Promise<Stack> {
  const mine = turn.then(() => LocalWorkspace.selectStack({ stackName, workDir }));
  turn = mine.catch(() => undefined);
  return mine;
}

type Said = Parameters<Stack["up"]>[0] & Parameters<Stack["preview"]>[0] & Parameters<Stack["refresh"]>[0];
type Changes = Readonly<Partial<Record<string, number>>>;

async function changesOf(
  stack: Stack,
  operation: Operation,
  said: Said,
  policyPacks: readonly string[],
): Promise<Changes> {
  const policies = policyPacks.length > 0 ? { policyPacks: [...policyPacks] } : {};
  switch (operation) {
    case "preview":
      return (await stack.preview({ ...said, ...policies })).changeSummary;
    case "up":
      return (await stack.up({ ...said, ...policies, continueOnError: true })).summary.resourceChanges ?? {};
    case "refresh":
      return (await stack.refresh(said)).summary.resourceChanges ?? {};
  }
}

function changesText(changes: Changes): string {
  const kinds = Object.entries(changes).filter(([kind, count]) => kind !== "same" && (count ?? 0) > 0);
  return kinds.length === 0 ? "nothing changes" : kinds.map(([kind, count]) => `${count} ${kind}`).join(", ");
}

/** The first line of the engine that says error; the rest is in the log. */
function reasonOf({ message }: CommandError): string {
  const lines = message.split("\n").map((line) => line.trim());
  const line = lines.find(
    (each) => /(^|\s)error: /.test(each) && !/error: (update|preview) failed$/.test(each),
  );
  return line === undefined ? "Pulumi failed." : `${line.replace(/^.*?error: /, "").replace(/\.$/, "")}.`;
}
