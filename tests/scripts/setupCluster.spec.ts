import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClone, hang, isRunning, until } from "./fakeClone.ts";

let clone: FakeClone;
beforeEach(() => {
  clone = new FakeClone();
  clone.stub("pulumi", 'console.log("v3.900.1");');
  clone.stub("go", goOfModules());
  const tools = join(clone.root, "lab", "tools");
  for (const recipe of ["store", "controller"]) {
    mkdirSync(join(tools, recipe), { recursive: true });
    writeFileSync(join(tools, recipe, "go.mod"), "module m\n\ngo 1.26.0\n");
    writeFileSync(join(tools, recipe, "go.sum"), "");
  }
  writeFileSync(join(tools, "tools.json"), JSON.stringify({ tools: [store, controller] }));
  mkdirSync(join(moduleFolder(), "crds"), { recursive: true });
  writeFileSync(join(moduleFolder(), "crds", "things.yaml"), "kind: CustomResourceDefinition\n");
});
afterEach(() => clone.dispose());

const platform = `${process.platform}-${process.arch}`;
const store = {
  ...{ key: "store", name: "store", version: "3.7.2", recipe: "store", package: "example.com/store" },
  ...{ versionArgs: ["--version"], onPath: "newer", memoryMegabytes: 1, diskMegabytes: 1, secondsToBuild: 1 },
};
const controller = {
  ...{ key: "controller", name: "controller", version: "1.9.6", recipe: "controller" },
  ...{
    package: "example.com/controller",
    crds: "crds",
    onPath: "same",
    memoryMegabytes: 2345,
    diskMegabytes: 1,
    secondsToBuild: 1,
  },
};
const moduleFolder = (): string => join(clone.folder, "module");
const saying = (version: string): string => `#!/bin/sh\necho "store Version: ${version}"\n`;
/** A controller in which Go noted its version, as `go version -m` shows it. Run by anybody, it leaves a trace. */
const madeOf = (version: string): string =>
  `#!/bin/sh\necho "controller $*" >> ${clone.log}\nexit 1\n\npath\texample.com/controller\nmod\texample.com/controller\tv${version}\th1:abc=\n`;

const freeMegabytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1e6;
};

/** A piece of JavaScript for a go that cannot build one of them. */
const failWhenBuilding = (name: string, says: string): string =>
  `if (args.at(-1).endsWith(${JSON.stringify(name)})) { console.error(${JSON.stringify(says)}); process.exit(1); }`;

/** A go that knows where the module is, and builds both programs; `answers` are those of `go env`. */
function goOfModules({ before = "", version = "1.9.6", answers = {} } = {}): string {
  const programs = { store: saying("3.7.2"), controller: madeOf(version) };
  return `
const answers = { GOVERSION: "go1.99.0", GOTOOLCHAIN: "local", ...${JSON.stringify(answers)} };
if (args[0] === "env") { for (const name of args.slice(1)) console.log(answers[name] ?? ""); process.exit(); }
if (args[0] === "mod") process.exit();
if (args[0] === "list") { console.log(${JSON.stringify(moduleFolder())}); process.exit(); }
${before}
const out = args[args.indexOf("-o") + 1];
fs.writeFileSync(out, ${JSON.stringify(programs)}[path.basename(out)], { mode: 0o755 });
`;
}

const noted = (): Record<string, string> =>
  (clone.tools() as unknown as { cluster: Record<string, string> }).cluster;
const entry = (name: string): string => join(clone.cache, `${name}-${platform}`);
const builds = (): string[] => clone.calls("go build");

test("without --cluster nothing of it is looked for or built", async () => {
  expect((await clone.run()).code).toBe(0);
  expect(builds()).toEqual([]);
  expect(noted()).toBeUndefined();
});

test("builds each once, with the CRDs of its module beside it, and notes where they are", async () => {
  expect((await clone.run(["--cluster"])).code).toBe(0);
  expect(builds()).toHaveLength(2);
  expect(noted()).toEqual({
    store: join(entry("store-3.7.2"), "store"),
    controller: join(entry("controller-1.9.6"), "controller"),
  });
  expect(readFileSync(join(entry("controller-1.9.6"), "crds", "things.yaml"), "utf8")).toContain(
    "kind: Custom",
  );
  expect(readdirSync(join(clone.cache, "tmp"))).toEqual([]);

  expect((await clone.run(["--cluster"])).code).toBe(0);
  expect(builds()).toHaveLength(2);
  // A run that does not ask for them does not forget them either.
  expect((await clone.run()).code).toBe(0);
  expect(noted()["store"]).toBe(join(entry("store-3.7.2"), "store"));
});

test.each([
  ["the program", "controller"],
  ["its CRDs", "crds/things.yaml"],
])("a cache in which somebody changed %s is not trusted", async (_, file) => {
  await clone.run(["--cluster"]);
  writeFileSync(join(entry("controller-1.9.6"), file), madeOf("1.9.6").replace("abc", "other"));
  const { code, text } = await clone.run(["--cluster"]);
  expect(code).toBe(0);
  expect(text).toContain("controller 1.9.6 in the cache is thrown away");
  expect(builds()).toHaveLength(3);
});

test("what one option alone asks for is built with that, and noted from then on", async () => {
  const list = join(clone.root, "lab", "tools", "tools.json");
  writeFileSync(list, JSON.stringify({ tools: [store, { ...controller, onlyWith: "--cluster-api" }] }));
  for (const [options, keys] of [
    [["--cluster"], ["store"]],
    [
      ["--cluster", "--cluster-api"],
      ["store", "controller"],
    ],
    [["--cluster"], ["store", "controller"]],
  ] as const) {
    expect((await clone.run([...options])).code).toBe(0);
    expect(Object.keys(noted())).toEqual(keys);
  }
});

test("takes data of the module along, and builds one that lacks a file which it embeds", async () => {
  mkdirSync(join(moduleFolder(), "config"), { recursive: true });
  writeFileSync(join(moduleFolder(), "config", "rbac.yaml"), "kind: Role\n");
  const list = join(clone.root, "lab", "tools", "tools.json");
  const operator = { ...controller, data: { "flux/v2.9.4": "config" }, lacks: "web/dist/index.html" };
  writeFileSync(list, JSON.stringify({ tools: [operator] }));
  const lacking = `if (args[0] === "build" && !fs.existsSync(${JSON.stringify(join(moduleFolder(), "web/dist/index.html"))})) process.exit(1);`;
  clone.stub("go", goOfModules({ before: lacking }));
  expect((await clone.run(["--cluster"])).code).toBe(0);
  const copied = join(entry("controller-1.9.6"), "data", "flux", "v2.9.4", "rbac.yaml");
  expect(readFileSync(copied, "utf8")).toBe("kind: Role\n");
});

test("a build that gives another version is refused", async () => {
  clone.stub("go", goOfModules({ version: "1.9.5" }));
  const { code, text } = await clone.run(["--cluster"]);
  expect(code).toBe(1);
  // A controller that runs reconciles whatever cluster the user's kubeconfig names.
  expect(clone.calls("controller")).toEqual([]);
  expect(text).toContain("the controller just made is not right: it is not version 1.9.6");
  expect(existsSync(entry("controller-1.9.6"))).toBe(false);
});

describe("what is on PATH", () => {
  test.each(["3.7.2", "3.7.9", "3.12.0"])("store %s is taken", async (version) => {
    const own = clone.stub("store", `console.log("store Version: ${version}");`);
    expect((await clone.run(["--cluster"])).code).toBe(0);
    expect(noted()["store"]).toBe(own);
    expect(builds()).toHaveLength(1);
  });

  test.each([
    ["is older", "3.6.9", "is version 3.6.9"],
    ["is of another major version", "4.0.0", "is version 4.0.0"],
    ["says nothing", "", "does not run"],
  ])("a store that %s is left alone, and the reason told", async (_, version, reason) => {
    clone.stub("store", version === "" ? "process.exit(1);" : `console.log("store Version: ${version}");`);
    const { code, text } = await clone.run(["--cluster"]);
    expect(code).toBe(0);
    expect(text).toContain(`store on PATH, ${join(clone.bin, "store")}, ${reason}; the lab gets 3.7.2`);
    expect(noted()["store"]).toBe(join(entry("store-3.7.2"), "store"));
  });

  test("a controller of the very version is taken, and gets the CRDs of its module", async () => {
    writeFileSync(join(clone.bin, "controller"), `${madeOf("1.9.6")}# mine\n`, { mode: 0o755 });
    expect((await clone.run(["--cluster"])).code).toBe(0);
    expect(builds()).toHaveLength(1);
    expect(readFileSync(noted()["controller"] ?? "", "utf8")).toContain("# mine");
    expect(existsSync(join(entry("controller-1.9.6"), "crds", "things.yaml"))).toBe(true);
  });

  test("another version of a controller is left alone", async () => {
    writeFileSync(join(clone.bin, "controller"), madeOf("1.10.0"), { mode: 0o755 });
    const { code, text } = await clone.run(["--cluster"]);
    expect(code).toBe(0);
    expect(text).toContain("is version 1.10.0; the lab gets 1.9.6");
    expect(builds()).toHaveLength(2);
  });
});

test("after kill -9 in a build the next run ends that build, sweeps up and finishes", async () => {
  clone.stub("go", goOfModules({ before: hang(clone.marker) }));
  const { child, done } = clone.start(["--cluster"]);
  await until(() => existsSync(clone.marker) && readFileSync(clone.marker, "utf8") !== "");
  const builder = Number(readFileSync(clone.marker, "utf8"));
  child.kill("SIGKILL");
  await done;
  expect(isRunning(builder)).toBe(true);

  clone.stub("go", goOfModules());
  expect((await clone.run(["--cluster"])).code).toBe(0);
  expect(isRunning(builder)).toBe(false);
  expect(readdirSync(join(clone.cache, "tmp"))).toEqual([]);
});

test("SIGTERM ends the build and leaves nothing of it", async () => {
  clone.stub("go", goOfModules({ before: hang(clone.marker) }));
  const { child, done } = clone.start(["--cluster"]);
  await until(() => existsSync(clone.marker) && readFileSync(clone.marker, "utf8") !== "");
  const builder = Number(readFileSync(clone.marker, "utf8"));
  child.kill("SIGTERM");
  const { code, text } = await done;
  expect(code).toBe(143);
  expect(text).toContain("interrupted");
  expect(isRunning(builder)).toBe(false);
  expect(readdirSync(join(clone.cache, "tmp"))).toEqual([]);
});

describe("without a Go that can build them", () => {
  test("it names all that are missing, once, and builds nothing", async () => {
    rmSync(join(clone.bin, "go"));
    const { code, text } = await clone.run(["--cluster"]);
    expect(code).toBe(1);
    expect(text).toContain("no store 3.7.2, controller 1.9.6 on PATH, and no Go to build it with.");
    expect(text).toContain("Install Go 1.26.0 or newer");
    // A controller on PATH would not do: its CRDs come with its module.
    expect(text).not.toContain("put them on PATH");
    expect(readdirSync(join(clone.cache, "tmp"))).toEqual([]);
  });

  test("those that PATH may have too can be put there instead", async () => {
    await clone.run(["--cluster"]);
    rmSync(entry("store-3.7.2"), { recursive: true });
    clone.stub("go", "process.exit(127);");
    const { code, text } = await clone.run(["--cluster"]);
    expect(code).toBe(1);
    expect(text).toMatch(/no store 3\.7\.2 on PATH; building it needs Go 1\.26\.0, but .* does not run/);
    expect(text).toContain("Either put them on PATH");
  });

  test("what is in the cache needs none", async () => {
    await clone.run(["--cluster"]);
    rmSync(join(clone.bin, "go"));
    expect((await clone.run(["--cluster"])).code).toBe(0);
  });
});

test("without the room that all of them need together nothing is begun", async () => {
  const list = join(clone.root, "lab", "tools", "tools.json");
  // Each alone fits on any disk that this many megabytes fit on, and both do not.
  const half = Math.ceil((await freeMegabytes(clone.folder)) * 0.75);
  const tools = [store, controller].map((tool) => ({ ...tool, diskMegabytes: half }));
  writeFileSync(list, JSON.stringify({ tools }));
  const { code, text } = await clone.run(["--cluster"]);
  expect(code).toBe(1);
  expect(text).toContain(
    `building the programs for a real Kubernetes API needs ${half * 2} MB while it runs`,
  );
  expect(text).toContain("set ARCFLUX_CACHE_DIR");
  expect(builds()).toEqual([]);
});

describe("a build that fails", () => {
  test.each([
    ["for want of the network", "dial tcp: lookup proxy: no such host", "Check the network and Go's GOPROXY"],
    ["for want of memory", "compile: signal: killed", "The build needs up to 2345 MB of memory"],
    ["for want of room", "write x.a: no space left on device", "set ARCFLUX_CACHE_DIR"],
  ])("%s says what to do, and keeps what is built", async (_, says, next) => {
    clone.stub("go", goOfModules({ before: failWhenBuilding("controller", says) }));
    const { code, text } = await clone.run(["--cluster"]);
    expect(code).toBe(1);
    expect(text).toContain("controller 1.9.6 could not be built:");
    expect(text).toContain(says);
    expect(text).toContain(next);

    clone.stub("go", goOfModules());
    expect((await clone.run(["--cluster"])).code).toBe(0);
    // store, the failed one, and the one that went well.
    expect(builds()).toHaveLength(3);
  });

  test("because Go itself was killed, says so though Go said nothing", async () => {
    const killed = 'if (args.at(-1).endsWith("controller")) process.kill(process.pid, "SIGKILL");';
    clone.stub("go", goOfModules({ before: killed }));
    const { code, text } = await clone.run(["--cluster"]);
    expect(code).toBe(1);
    expect(text).toContain("The build needs up to 2345 MB of memory");
  });
});

test("modules that the user's Go has fetched are taken from there first", async () => {
  const modules = join(clone.folder, "go, mine", "mod");
  const answers = { GOPROXY: "https://proxy.example,direct", GOMODCACHE: modules, GOFLAGS: "-x" };
  const note = `fs.writeFileSync(${JSON.stringify(join(clone.folder, "env"))}, process.env.GOPROXY + " " + process.env.GOFLAGS);`;
  clone.stub("go", goOfModules({ before: note, answers }));
  expect((await clone.run(["--cluster"])).code).toBe(0);
  expect(readFileSync(join(clone.folder, "env"), "utf8")).toBe(
    `file://${clone.folder}/go%2C%20mine/mod/cache/download,https://proxy.example,direct -x -modcacherw`,
  );
});

test("two set-ups at once build once", async () => {
  const both = await Promise.all([clone.run(["--cluster"]), clone.run(["--cluster"])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(builds()).toHaveLength(2);
});
