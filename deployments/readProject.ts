import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { type Selection, SelectionError } from "../fleet/select.ts";
import { parseSelection } from "../fleet/selectionText.ts";

/** A Pulumi project: what lies beside its Pulumi.yaml. */
export interface Project {
  readonly name: string;
  /** By name. */
  readonly stacks: readonly Stack[];
}

/** A stack, by its config file. */
export interface Stack {
  readonly name: string;
  /** `arcflux:clusters`; absent for all. */
  readonly selection?: Selection;
}

/** Reads the project in a folder. Throws SelectionError for what is none, or for a selection that is none. */
export async function readProject(folder: string): Promise<Project> {
  const file = join(folder, "Pulumi.yaml");
  const text = await readFile(file, "utf8").catch(() => {
    throw new SelectionError(
      `${file} is not there. Run this in the folder of the project, or name it with --project.`,
    );
  });
  const { name } = (parse(text) ?? {}) as { name?: unknown };
  if (typeof name !== "string") throw new SelectionError(`${file} has no name. Give the project one.`);
  const stacks = (await readdir(folder))
    .flatMap((each) => /^Pulumi\.(.+)\.yaml$/.exec(each)?.[1] ?? [])
    .sort();
  return { name, stacks: await Promise.all(stacks.map((stack) => readStack(folder, stack))) };
}

async function readStack(folder: string, name: string): Promise<Stack> {
  const file = join(folder, `Pulumi.${name}.yaml`);
  const { config } = (parse(await readFile(file, "utf8")) ?? {}) as {
    config?: Record<string, unknown> | null;
  };
  const clusters = config?.["arcflux:clusters"];
  if (clusters === undefined || clusters === null) return { name };
  try {
    // As Pulumi hands it on: what is no text becomes JSON.
    return {
      name,
      selection: parseSelection(typeof clusters === "string" ? clusters : JSON.stringify(clusters)),
    };
  } catch (error) {
    if (!(error instanceof SelectionError)) throw error;
    throw new SelectionError(`${file}: ${error.message}`);
  }
}
