import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import manifest from "../../package.json" with { type: "json" };
import { Consumer, packArcflux } from "../support/consumer.ts";
import { startPulumiService } from "../support/pulumiService.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

const oldestNode = "22.18.0";

describe("a project that installs the package", () => {
  let test: TestLab;
  let folder: string;
  let edge: Consumer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "arcflux-package-"));
    await mkdir(join(folder, "edge"));
    [test] = await Promise.all([startTestLab({ assumeClusters: true }), packArcflux(folder)]);
    edge = new Consumer(join(folder, "edge"), test.env);
    await edge.write(
      "package.json",
      `{ "name": "edge", "private": true, "type": "module", "dependencies": { "node-${process.platform}-${process.arch}": "${oldestNode}" } }`,
    );
    await edge.install(`../arcflux-${manifest.version}.tgz`);
    const init = ["init", "--yes", "--repository", "https://git.example.com/edge/fleet.git"];
    expectCode(await edge.run("arcflux", ...init), 0);
    // A program in a folder of its own, beside which something else is called fleet.yaml.
    await edge.write("Pulumi.yaml", `${await edge.read("Pulumi.yaml")}main: program\n`);
    await edge.write("program/index.ts", `export * from "arcflux/program";\n`);
    await edge.write("program/package.json", `{ "type": "module", "main": "index.ts" }\n`);
    await edge.write("program/fleet.yaml", "this one is not meant\n");
    await edge.write("fleet.yaml", presentFleet({ "store-001": ["pos"] }));
    await test.person.commit("Manifests", {
      "clusters/store-001/sets/pos/map.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: pos, namespace: default }\n",
    });
    expectCode(await edge.pulumi("stack", "init", "dev"), 0);
  });
  afterAll(async () => {
    await test.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const withPolicy = ["--policy-pack", "policy"];

  it("has the command, which builds sets by the engine of the package", async () => {
    const { stdout } = expectCode(await edge.run("arcflux", "--version"), 0);
    expect(stdout).toBe(`${manifest.version}\n`);
    edge.env["ARCFLUX_CACHE_DIR"] = join(folder, "empty-cache");
    const built = expectCode(await edge.run("arcflux", "build", "store-001"), 0);
    expect(built.stdout).toMatch(/kind: ConfigMap/);
    expect(built.stderr).toBe("");
  });

  it("has nothing of the development, and no script that runs at its installation", async () => {
    const installed = JSON.parse(
      await readFile(join(edge.folder, "node_modules/arcflux/package.json"), "utf8"),
    ) as typeof manifest;
    expect(Object.keys(installed.scripts).filter((name) => /install/.test(name))).toEqual([]);
    expect(installed).not.toHaveProperty("private");
    const isInstalled = (name: string) => existsSync(join(edge.folder, "node_modules", name));
    expect(["@pulumi/pulumi", "typescript", "vitest", "ajv"].map(isInstalled)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("previews on the oldest Node, with the policies, and reads the fleet file beside Pulumi.yaml", async () => {
    const older = new Consumer(edge.folder, edge.env);
    const node = join(edge.folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
    older.env["PATH"] = [node, older.env["PATH"]].join(delimiter);
    expect((await older.run("node", "--version")).stdout).toBe(`v${oldestNode}\n`);
    const { stdout } = expectCode(await older.pulumi("preview", "--stack", "dev", ...withPolicy), 0);
    expect(stdout).toMatch(/arcflux-git:index:GitFiles\s+store-001-files\s+create/);
    expect(stdout).toMatch(/Policies:\s+.*arcflux/);
  });

  it("updates with the policies of the package alone, and has nothing to do then", async () => {
    const ofPackage = ["--policy-pack", "node_modules/arcflux/dist/policy"];
    expectCode(await edge.pulumi("up", "--yes", "--skip-preview", "--stack", "dev", ...ofPackage), 0);
    expect(Object.keys(await test.repository.files())).toContain("clusters/store-001/flux/pos.yaml");
    expectCode(await edge.pulumi("preview", "--stack", "dev", "--expect-no-changes"), 0);
  });

  it("publishes its policies to a Pulumi service, which judges by what was uploaded", async () => {
    const service = await startPulumiService();
    const publisher = new Consumer(join(edge.folder, "policy"), {
      ...{ ...edge.env, ...service.env, PULUMI_CREDENTIALS_PATH: join(folder, "credentials") },
    });
    expectCode(await publisher.run("pulumi", "policy", "publish", "acme", "--non-interactive"), 0);
    service.stop();
    const [pack] = service.published;
    expect(pack).toMatchObject({ organisation: "acme", request: { name: "arcflux", versionTag: "1.0.0" } });
    expect(pack?.request.policies.length).toBeGreaterThan(30);

    // Whoever previews a stack of the organisation gets it like this, beside no project.
    const received = new Consumer(join(folder, "received", "package"), test.env);
    await mkdir(received.folder, { recursive: true });
    await writeFile(join(folder, "received", "pack.tgz"), pack!.archive);
    expectCode(await received.run("tar", "-xzf", "../pack.tgz", "-C", ".."), 0);
    // What the service installs for it, and what the project beside has already.
    const { dependencies } = JSON.parse(await received.read("package.json")) as Pick<
      typeof manifest,
      "dependencies"
    >;
    expect(dependencies).toEqual({ arcflux: `^${manifest.version}` });
    await symlink(join(edge.folder, "node_modules"), join(folder, "received", "node_modules"));
    const judged = ["preview", "--stack", "dev", "--policy-pack", received.folder];
    expectCode(await edge.pulumi(...judged), 0);
    await edge.write("strict.json", `{ "minimum-interval": { "minimumSeconds": 86400 } }`);
    const { code, stdout } = await edge.pulumi(...judged, "--policy-pack-config", "strict.json");
    expect([code === 0, stdout]).toEqual([false, expect.stringContaining("at least 86400 s is needed")]);
  });

  it("says that its folder is not a program", async () => {
    const project = await edge.read("Pulumi.yaml");
    await edge.write("Pulumi.yaml", project.replace("main: program", "main: node_modules/arcflux"));
    const { code, stdout, stderr } = await edge.pulumi("preview", "--stack", "dev");
    await edge.write("Pulumi.yaml", project);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(
      /folder of the arcflux package as `main`, which is not a program\. Leave/,
    );
  });

  it("can name the components, and extend the policies", async () => {
    await edge.write(
      "own.mjs",
      `import { FluxFolder, GitFiles } from "arcflux";\nimport { policies } from "arcflux/policy";\n` +
        `console.log(typeof FluxFolder, typeof GitFiles, policies.length > 5);\n`,
    );
    expect(expectCode(await edge.run("node", "own.mjs"), 0).stdout).toBe("function function true\n");
  });

  it("publint and a dry run of npm publish find nothing", async () => {
    const pkgDir = join(edge.folder, "node_modules/arcflux");
    const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}, { color: false }))).toEqual([]);
    const tarball = `../arcflux-${manifest.version}.tgz`;
    const { stderr } = expectCode(
      await edge.run("npm", "publish", "--dry-run", "--ignore-scripts", tarball),
      0,
    );
    const warnings = stderr.split("\n").filter((line) => /^npm (warn|error)/i.test(line));
    expect(warnings.filter((line) => !line.includes("requires you to be logged in"))).toEqual([]);
  });
});
