import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClone, enginePrinting, goStub, hang, isRunning, npmStub, until } from "./fakeClone.ts";

let clone: FakeClone;
beforeEach(() => {
  clone = new FakeClone();
});
afterEach(() => clone.dispose());

const platform = `${process.platform}-${process.arch}`;
const tempFolders = () => readdirSync(join(clone.cache, "tmp"));
const locks = () => readdirSync(join(clone.cache, "locks")).filter((name) => !name.includes(".dead."));
const hungPid = async () => {
  await until(() => existsSync(clone.marker) && readFileSync(clone.marker, "utf8") !== "");
  return Number(readFileSync(clone.marker, "utf8"));
};
const engine = enginePrinting("v3.900.1");

describe("after kill -9", () => {
  test("during the engine's build, the next run ends the old build, sweeps up and finishes", async () => {
    clone.stub("go", goStub(engine, hang(clone.marker)));
    const { child, done } = clone.start();
    const builder = await hungPid();
    child.kill("SIGKILL");
    await done;
    expect(isRunning(builder)).toBe(true);
    expect(tempFolders()).toHaveLength(1);

    clone.stub("go", goStub(engine));
    expect((await clone.run()).code).toBe(0);
    expect(isRunning(builder)).toBe(false);
    expect(tempFolders()).toEqual([]);
    expect(locks()).toEqual([]);
    expect(clone.tools().pulumi?.version).toBe("3.900.1");
  });

  test("during npm ci, a node_modules that looks whole is not trusted", async () => {
    await clone.run();
    clone.writePackage({ version: "2.0.0" });
    // As npm does: it takes the old packages away one by one. This one dies when it has hardly begun.
    clone.stub("npm", hang(clone.marker));
    const { child, done } = clone.start();
    const npm = await hungPid();
    child.kill("SIGKILL");
    await done;

    clone.writePackage({ version: "1.0.0" }); // so that what lies there would be right
    clone.stub("npm", npmStub);
    expect((await clone.run()).code).toBe(0);
    expect(isRunning(npm)).toBe(false);
    expect(clone.calls("npm ci")).toHaveLength(3);
    expect(clone.tools().pulumi?.version).toBe("3.900.1");
  });

  test("a lock whose pid now belongs to another process is taken over", async () => {
    const lock = join(clone.cache, "locks", `pulumi-3.900.1-${platform}`);
    mkdirSync(lock, { recursive: true });
    const host = hostname().replace(/[^A-Za-z0-9-]/g, "-") || "localhost";
    // This very process, but as if started at another time.
    writeFileSync(join(lock, "owner"), `${host}_${process.pid}-1`);
    expect((await clone.run()).code).toBe(0);
  });
});

test("SIGTERM ends the build, leaves nothing and says so", async () => {
  clone.stub("go", goStub(engine, hang(clone.marker)));
  const { child, done } = clone.start();
  const builder = await hungPid();
  child.kill("SIGTERM");
  const { code, text } = await done;
  expect(code).toBe(143);
  expect(text).toContain("interrupted");
  expect(isRunning(builder)).toBe(false);
  expect(tempFolders()).toEqual([]);
  expect(locks()).toEqual([]);
});

describe("two at once", () => {
  test("in one clone: one installs and builds, the other waits and says so", async () => {
    // Built only when the test says go on, so that both are surely there.
    clone.stub(
      "go",
      goStub(
        engine,
        `fs.writeFileSync(${JSON.stringify(clone.marker)}, String(process.pid));
        while (!fs.existsSync(${JSON.stringify(`${clone.marker}.go`)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`,
      ),
    );
    const first = clone.start();
    await hungPid();
    const second = clone.start();
    let said = "";
    second.child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await until(() => said.includes("waiting for another set-up"));
    writeFileSync(`${clone.marker}.go`, "");
    const [one, two] = await Promise.all([first.done, second.done]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(two.text).toContain(`process ${first.child.pid}`);
    expect(clone.calls("npm ci")).toHaveLength(1);
    expect(clone.calls("go build")).toHaveLength(1);
  });

  test("six, started together after a kill, end well and build once", async () => {
    clone.stub("go", goStub(engine, hang(clone.marker)));
    const killed = clone.start();
    await hungPid();
    killed.child.kill("SIGKILL");
    await killed.done;
    clone.stub("go", goStub(engine));
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => clone.run()));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(clone.calls("go build")).toHaveLength(2); // the killed one and one more
    expect(clone.calls("npm ci")).toHaveLength(1);
  });

  test("a set-up that waits can be stopped", async () => {
    clone.stub("go", goStub(engine, hang(clone.marker)));
    clone.start();
    await hungPid();
    const second = clone.start();
    let said = "";
    second.child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await until(() => said.includes("waiting"));
    second.child.kill("SIGTERM");
    expect((await second.done).code).toBe(143);
  });
});
