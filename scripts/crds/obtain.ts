import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { fetchModule, go, type GoModule } from "./go.ts";
import { controllerGen, kindsOf, moduleOf, type Controller, type ModuleInput } from "./inputs.ts";
import type { Crd } from "./compact.ts";

/** CRDs by file name, and the checksum of the module that they come from. */
export interface Obtained {
  readonly sum: string;
  readonly crds: ReadonlyMap<string, Crd>;
}

/** Gets the CRDs of one input. `folder` is a temporary folder; `tool` builds controller-gen when it is called first. */
export async function obtain(
  input: ModuleInput,
  folder: string,
  tool: () => Promise<string>,
): Promise<Obtained> {
  const module = await fetchModule(moduleOf(input), input.version, folder);
  const crds =
    input.from === "published"
      ? published(module, input.controller)
      : await made(input, module, folder, tool);
  return { sum: module.sum, crds };
}

function published(module: GoModule, controller: Controller): Map<string, Crd> {
  const crds = new Map<string, Crd>();
  for (const { file } of kindsOf[controller]) {
    const bytes = module.files.get(`config/crd/bases/${file}`);
    if (bytes === undefined) throw new Error(`${controller} has no config/crd/bases/${file}`);
    crds.set(file, parse(bytes.toString("utf8")) as Crd);
  }
  return crds;
}

async function made(
  input: ModuleInput,
  module: GoModule,
  folder: string,
  tool: () => Promise<string>,
): Promise<Map<string, Crd>> {
  const types = join(folder, `${input.controller}-${input.version}`);
  const out = join(types, "crds");
  for (const [name, bytes] of module.files) {
    await mkdir(dirname(join(types, name)), { recursive: true });
    await writeFile(join(types, name), bytes);
  }
  if (input.dependenciesOf !== undefined) {
    const older = await fetchModule(moduleOf(input), input.dependenciesOf, folder);
    for (const name of ["go.mod", "go.sum"]) await writeFile(join(types, name), older.files.get(name)!);
  }
  await promisify(execFile)(await tool(), ["crd", "paths=./...", `output:crd:dir=${out}`], {
    cwd: types,
    env: { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" },
  });
  const crds = new Map<string, Crd>();
  for (const file of await readdir(out)) {
    crds.set(file, parse(await readFile(join(out, file), "utf8")) as Crd);
  }
  return crds;
}

/** Builds controller-gen below `folder` once; later calls get the same path. Needs about a minute the first time. */
export function controllerGenTool(folder: string): () => Promise<string> {
  let built: Promise<string> | undefined;
  return () => (built ??= build(join(folder, "controller-gen")));
}

async function build(folder: string): Promise<string> {
  const { module, version } = controllerGen;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "go.mod"), `module tool\n\ngo 1.25.0\n\nrequire ${module} ${version}\n`);
  await go(["build", "-o", "controller-gen", `${module}/cmd/controller-gen`], folder);
  return join(folder, "controller-gen");
}
