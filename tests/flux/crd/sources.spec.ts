import type { FluxMinor } from "../../../values/fluxVersions.ts";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compactSpec } from "../../../scripts/crds/compact.ts";
import { controllerGen, inputs, kindsOf, moduleOf, type ModuleInput } from "../../../scripts/crds/inputs.ts";
import { controllerGenTool, obtain, type Obtained } from "../../../scripts/crds/obtain.ts";
import { expectAgreement } from "./agreement.ts";
import type { RawSchema } from "./oracle.ts";

/*
 * Runs where Go and what it needs are on the machine already: no test run should start with minutes of downloads and builds.
 * ARCFLUX_TEST_GO=1 fetches and builds them.
 */
const skipped = process.env.ARCFLUX_TEST_GO === "1" ? undefined : reasonToSkip();

function reasonToSkip(): string | undefined {
  let cache: string;
  try {
    cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "Go is not installed";
  }
  const needed = [
    controllerGen,
    ...inputs.map((input) => ({ module: moduleOf(input), version: input.version })),
  ];
  const missing = needed.find(
    ({ module, version }) => !existsSync(join(cache, "cache/download", module, "@v", `${version}.zip`)),
  );
  if (missing === undefined) return undefined;
  return `${missing.module} ${missing.version} is not in Go's module cache; ARCFLUX_TEST_GO=1 fetches what is needed`;
}

describe.skipIf(skipped)(`the CRDs of Flux's controllers${skipped ? ` (skipped: ${skipped})` : ""}`, () => {
  let folder: string;
  let tool: () => Promise<string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "arcflux-crds-"));
    tool = controllerGenTool(folder);
    await tool();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // Of 1.10 the types need a newer Go than controller-gen may find, so these minors stand for all.
  const both = inputs.filter(({ from, flux }) => from === "published" && flux !== "2.10");

  it.each(both)(
    "are the same as $controller $version publishes them and as controller-gen makes them",
    async (input) => {
      const [published, made] = [
        await obtain(input, folder, tool),
        await obtain({ ...input, from: "made" }, folder, tool),
      ];
      for (const { file, apiVersion } of kindsOf[input.controller]) {
        expect(compactSpec(made.crds.get(file)!, apiVersion)).toEqual(
          compactSpec(published.crds.get(file)!, apiVersion),
        );
      }
    },
  );

  it.each(inputs)("agree with validateSpec on random specs: $controller $version", async (input) => {
    const obtained = await obtain(input, folder, tool);
    for (const { kind, file } of kindsOf[input.controller]) {
      expectAgreement(kind, input.flux as FluxMinor, rawSpec(obtained, file, kindVersion(input, file)), 60);
    }
  });
});

function kindVersion(input: ModuleInput, file: string): string {
  const { apiVersion } = kindsOf[input.controller].find((kind) => kind.file === file)!;
  return apiVersion.split("/")[1]!;
}

/** The spec of the CRD itself, nothing left out, with what rules of the whole object require. */
function rawSpec({ crds }: Obtained, file: string, version: string): RawSchema {
  const root = crds.get(file)!.spec.versions.find(({ name }) => name === version)!.schema.openAPIV3Schema;
  const spec = root.properties!.spec as RawSchema;
  const rules = JSON.stringify(root["x-kubernetes-validations"] ?? []);
  return rules.includes("has(self.spec.url)") ? { ...spec, required: ["url", "interval"] } : spec;
}
