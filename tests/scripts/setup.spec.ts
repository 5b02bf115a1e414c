import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClone, enginePrinting, goStub } from "./fakeClone.ts";
import type { AddressInfo } from "node:net";

let clone: FakeClone;
beforeEach(() => {
  clone = new FakeClone();
});
afterEach(() => clone.dispose());

const platform = `${process.platform}-${process.arch}`;
const engineFile = () => join(clone.cache, `pulumi-3.900.1-${platform}`, "pulumi");
const binLink = (name: string) => join(clone.root, "node_modules", ".bin", name);

test("a fresh clone gets packages and an engine, and both are written down", async () => {
  const first = await clone.run();
  expect(first.text).toContain("ready");
  expect(first.code).toBe(0);
  expect(clone.tools()).toEqual({
    node: { path: process.execPath, version: process.versions.node },
    pulumi: { path: engineFile(), version: "3.900.1", origin: "build" },
    languageHost: null,
  });
  expect(readlinkSync(binLink("pulumi"))).toBe(engineFile());
  expect(existsSync(binLink("node"))).toBe(false);
  expect(clone.calls("npm")).toEqual([
    "npm ci --ignore-scripts --no-audit --no-fund --include=dev --include=optional --loglevel=error",
  ]);
});

test("only the clone's node_modules and the cache are written to, and no temp folder stays", async () => {
  await clone.run();
  expect(readdirSync(clone.folder).sort()).toEqual(["bin", "cache", "clone", "log"]);
  expect(readdirSync(clone.root).sort()).toEqual([
    "build",
    "node_modules",
    "package-lock.json",
    "package.json",
    "scripts",
  ]);
  expect(readdirSync(join(clone.root, "scripts")).sort()).toEqual(["engine", "setup", "setup.mjs"]);
  expect(readdirSync(join(clone.cache, "tmp"))).toEqual([]);
  expect(readdirSync(join(clone.cache, "locks"))).toEqual([]);
});

test("with everything there nothing is run but the engine's own version, and one line is said", async () => {
  await clone.run();
  const before = clone.calls("");
  // No npm, no go, no tar: whatever wants one of them fails.
  const again = await clone.run([], { PATH: "/nowhere" });
  expect(again.code).toBe(0);
  expect(again.text).toMatch(
    /^set-up: ready in [\d.]+ s \(Node .*, npm packages, Pulumi 3\.900\.1 built from source\)\n$/,
  );
  expect(clone.calls("")).toEqual(before);
  expect(await clone.run(["--quiet"], { PATH: "/nowhere" })).toEqual({ code: 0, text: "" });
});

test("with everything there a cache that cannot be written to is no hindrance", async () => {
  await clone.run();
  rmSync(join(clone.cache, "locks"), { recursive: true });
  writeFileSync(join(clone.cache, "locks"), "no folder can be made here");
  expect((await clone.run()).code).toBe(0);
});

test("a second clone takes the engine of the first", async () => {
  await clone.run();
  const second = join(clone.folder, "second");
  execFileSync("cp", ["-r", clone.root, second]);
  rmSync(join(second, "node_modules"), { recursive: true });
  expect((await clone.start([], {}, second).done).code).toBe(0);
  expect(clone.calls("go build")).toHaveLength(1);
  expect(readlinkSync(join(second, "node_modules", ".bin", "pulumi"))).toBe(engineFile());
});

test("--no-engine brings none, and keeps the one that is noted when packages change", async () => {
  expect((await clone.run(["--no-engine"])).code).toBe(0);
  expect(clone.tools().pulumi).toBeNull();
  expect(clone.calls("go")).toEqual([]);
  await clone.run();
  clone.writePackage({ version: "2.0.0" });
  expect((await clone.run(["--no-engine"])).code).toBe(0);
  expect(clone.tools().pulumi?.path).toBe(engineFile());
  expect(readlinkSync(binLink("pulumi"))).toBe(engineFile());
});

test("an unknown option is refused", async () => {
  const { code, text } = await clone.run(["--engine"]);
  expect(code).toBe(1);
  expect(text).toContain("--engine");
  expect(text).toContain("--no-engine");
});

describe("npm packages", () => {
  test("are installed again when the lock file changes or a package is missing, else not", async () => {
    await clone.run();
    await clone.run();
    expect(clone.calls("npm ci")).toHaveLength(1);
    clone.writePackage({ version: "2.0.0" });
    await clone.run();
    expect(clone.calls("npm ci")).toHaveLength(2);
    rmSync(join(clone.root, "node_modules", "dependency"), { recursive: true });
    await clone.run();
    expect(clone.calls("npm ci")).toHaveLength(3);
    rmSync(binLink("dep"));
    await clone.run();
    expect(clone.calls("npm ci")).toHaveLength(4);
    expect(readlinkSync(binLink("pulumi"))).toBe(engineFile());
  });

  test("installed by hand are kept, unless one was touched since", async () => {
    execFileSync(join(clone.bin, "npm"), ["ci"], { cwd: clone.root });
    await clone.run();
    expect(clone.calls("npm ci")).toHaveLength(1);
    rmSync(join(clone.root, "node_modules", ".arcflux"), { recursive: true });
    execFileSync("touch", ["-d", "2099-01-01", join(clone.root, "node_modules", "dependency")]);
    await clone.run();
    expect(clone.calls("npm ci")).toHaveLength(2);
  });

  test("of another clone, which node_modules is a link to, are used when they fit and never changed", async () => {
    await clone.run(["--no-engine"]);
    const other = join(clone.folder, "other");
    renameSync(join(clone.root, "node_modules"), other);
    symlinkSync(other, join(clone.root, "node_modules"));
    expect((await clone.run(["--no-engine"])).code).toBe(0);

    clone.writePackage({ version: "2.0.0" });
    const { code, text } = await clone.run(["--no-engine"]);
    expect(code).toBe(1);
    expect(text).toContain(`node_modules is a link to ${other}`);
    expect(text).toContain("remove the link");
    expect(clone.calls("npm ci")).toHaveLength(1);
    expect(readFileSync(join(other, "dependency", "package.json"), "utf8")).toContain("1.0.0");
  });

  test("that cannot be installed end set-up with npm's own words and the next step", async () => {
    clone.stub("npm", 'console.error("npm error ECONNREFUSED"); process.exit(1);');
    const { code, text } = await clone.run();
    expect(code).toBe(1);
    expect(text).toContain("npm error ECONNREFUSED");
    expect(text).toContain("registry");
    clone.stub("npm", "process.exit(0)");
  });
});

describe("an engine on PATH", () => {
  test("is taken from the minimum on, and not linked", async () => {
    const path = clone.stub("pulumi", 'console.log("v3.900.0");');
    await clone.run();
    expect(clone.tools().pulumi).toEqual({ path, version: "3.900.0", origin: "path" });
    expect(existsSync(binLink("pulumi"))).toBe(false);
    expect(clone.calls("go")).toEqual([]);
  });

  test.each(["v3.899.9", "v2.901.0", "v4.0.0", "v3.900", "no version"])(
    "that says %s is not, and set-up says why",
    async (says) => {
      const path = clone.stub("pulumi", `console.log(${JSON.stringify(says)});`);
      const { code, text } = await clone.run();
      expect(code).toBe(0);
      expect(text).toContain(path);
      expect(clone.tools().pulumi).toEqual({ path: engineFile(), version: "3.900.1", origin: "build" });
    },
  );

  test("is not what an npm script finds in our own node_modules/.bin", async () => {
    await clone.run();
    const PATH = `${join(clone.root, "node_modules", ".bin")}:${clone.bin}`;
    await clone.run([], { PATH });
    expect(clone.tools().pulumi?.origin).toBe("build");
    // Nor what another clone linked from the same cache.
    symlinkSync(engineFile(), join(clone.bin, "pulumi"));
    await clone.run();
    expect(clone.tools().pulumi?.origin).toBe("build");
  });

  test("brings its language host, next to it or on PATH", async () => {
    clone.stub("pulumi", 'console.log("v3.901.0");');
    const host = clone.stub("pulumi-language-nodejs", "");
    await clone.run();
    expect(clone.tools().languageHost).toBe(host);
  });
});

describe("the engine in the cache", () => {
  test("is made again when its bytes changed, without being run", async () => {
    await clone.run();
    const ran = join(clone.folder, "ran");
    writeFileSync(engineFile(), `#!/bin/sh\necho > ${ran}\necho v3.900.1\n`);
    const { code, text } = await clone.run();
    expect(code).toBe(0);
    expect(text).toContain("thrown away");
    expect(existsSync(ran)).toBe(false);
    expect(readFileSync(engineFile(), "utf8")).toBe(enginePrinting("v3.900.1"));
    expect(clone.calls("go build")).toHaveLength(2);
  });

  test("is made again when its manifest is cut off", async () => {
    await clone.run();
    writeFileSync(join(clone.cache, `pulumi-3.900.1-${platform}`, "manifest.json"), '{"tool":"pul');
    expect((await clone.run()).code).toBe(0);
    expect(clone.calls("go build")).toHaveLength(2);
  });

  test("never holds one that says another version than was asked for", async () => {
    clone.stub("go", goStub(enginePrinting("v3.900.2")));
    const { code, text } = await clone.run();
    expect(code).toBe(1);
    expect(text).toContain("3.900.2");
    expect(existsSync(engineFile())).toBe(false);
    expect(readdirSync(join(clone.cache, "tmp"))).toEqual([]);
  });

  test("cannot be built without Go: set-up says what to install", async () => {
    rmSync(join(clone.bin, "go"));
    const { code, text } = await clone.run();
    expect(code).toBe(1);
    expect(text).toContain("https://go.dev/doc/install");
    expect(text).toContain("https://www.pulumi.com/docs/install/");
    expect(text).not.toMatch(/^\s+at /m);
  });

  test("cannot be built with a Go that is too old and may not fetch another", async () => {
    clone.stub("go", 'console.log(args[1] === "GOVERSION" ? "go1.22.1\\nlocal" : "local");');
    const { code, text } = await clone.run();
    expect(code).toBe(1);
    expect(text).toContain("go1.22.1");
    expect(text).toContain("GOTOOLCHAIN=local");
  });

  test("is not begun on a disk without the room", async () => {
    clone.pin({
      engine: {
        version: "3.900.1",
        minimum: "3.900.0",
        downloads: "http://127.0.0.1:1",
        freeMegabytesToBuild: 1e12,
      },
    });
    const { code, text } = await clone.run();
    expect(code).toBe(1);
    expect(text).toContain("ARCFLUX_CACHE_DIR");
    expect(clone.calls("go build")).toEqual([]);
  });
});

test("a cache that cannot be made is one clear error", async () => {
  rmSync(clone.cache, { recursive: true });
  writeFileSync(clone.cache, "a file");
  const { code, text } = await clone.run();
  expect(code).toBe(1);
  expect(text).toContain(clone.cache);
  expect(text).toContain("ARCFLUX_CACHE_DIR");
  expect(text).not.toMatch(/^\s+at /m);
});

describe("the official engine", () => {
  const archive = `pulumi-v3.900.1-${process.platform}-${process.arch}.tar.gz`;

  async function withServer(
    files: Record<string, Buffer | string>,
    work: () => Promise<void>,
  ): Promise<void> {
    const server = createServer((request, response) => {
      const body = files[(request.url ?? "").slice(1)];
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const downloads = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    clone.pin({ engine: { version: "3.900.1", minimum: "3.900.0", downloads, freeMegabytesToBuild: 1 } });
    try {
      await work();
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  function release(): Buffer {
    const folder = join(clone.folder, "release", "pulumi");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "pulumi"), enginePrinting("v3.900.1"), { mode: 0o755 });
    writeFileSync(join(folder, "pulumi-language-nodejs"), enginePrinting("host"), { mode: 0o755 });
    writeFileSync(join(folder, "pulumi-language-go"), "not for us", { mode: 0o755 });
    execFileSync("tar", ["-czf", join(clone.folder, archive), "-C", join(clone.folder, "release"), "pulumi"]);
    return readFileSync(join(clone.folder, archive));
  }

  test("is preferred to a build, checked, and comes with its language host", async () => {
    const bytes = release();
    const sums = `${"0".repeat(64)}  other.tar.gz\n${createHash("sha256").update(bytes).digest("hex")}  ${archive}\n`;
    await withServer({ "pulumi-3.900.1-checksums.txt": sums, [archive]: bytes }, async () => {
      expect((await clone.run()).code).toBe(0);
    });
    expect(clone.tools().pulumi?.origin).toBe("download");
    expect(clone.tools().languageHost).toBe(
      join(clone.cache, `pulumi-3.900.1-${platform}`, "pulumi-language-nodejs"),
    );
    expect(clone.calls("go")).toEqual([]);
    expect(readdirSync(join(clone.cache, `pulumi-3.900.1-${platform}`)).sort()).toEqual([
      "manifest.json",
      "pulumi",
      "pulumi-language-nodejs",
    ]);
  });

  test("with another checksum than was published is not unpacked, and one is built", async () => {
    const sums = `${"0".repeat(64)}  ${archive}\n`;
    await withServer({ "pulumi-3.900.1-checksums.txt": sums, [archive]: release() }, async () => {
      const { text } = await clone.run();
      expect(text).toContain("sha256");
    });
    expect(clone.tools().pulumi?.origin).toBe("build");
  });

  test("is passed over when a sign-in page answers in its place", async () => {
    await withServer({ "pulumi-3.900.1-checksums.txt": "<html>Please sign in</html>" }, async () => {
      expect((await clone.run()).code).toBe(0);
    });
    expect(clone.tools().pulumi?.origin).toBe("build");
  });
});
