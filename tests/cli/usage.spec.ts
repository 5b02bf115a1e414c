import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { fleetText } from "../fleet/fixture.ts";
import { arcflux } from "./process.ts";
import { workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();

describe("help", () => {
  it.each([
    [
      "--help",
      [
        "Usage: arcflux",
        "validate",
        "render",
        "explain",
        "graph",
        "schema",
        "import",
        "Exit codes",
        "NO_COLOR",
      ],
    ],
    ["validate --help", ["Usage: arcflux validate", "Examples:", "--repo", "--strict", "--json"]],
    ["render --help", ["Usage: arcflux render", "Examples:", "--cluster", "--out", "--json"]],
    ["explain --help", ["Usage: arcflux explain", "Examples:", "<cluster> [set]", "--file", "--json"]],
    [
      "graph --help",
      ["Usage: arcflux graph", "Examples:", '"mermaid", "dot", "json"', "--cluster", "--json"],
    ],
    ["schema --help", ["Usage: arcflux schema", "Examples:", "--json"]],
    ["status --help", ["Usage: arcflux status", "Examples:", "(default: 60s)"]],
    ["wait --help", ["Usage: arcflux wait", "Examples:", "(default: 30m)"]],
    ["import --help", ["Usage: arcflux import", "Examples:", "[folder]", "--out", "--json"]],
  ])("of arcflux %s says what there is, and ends with 0", async (args, words) => {
    const { code, out, err } = await run(args);
    expect([code, err]).toEqual([0, ""]);
    for (const word of words) expect(out).toContain(word);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  it("is the same by the word help", async () => {
    expect((await run("help render")).out).toBe((await run("render --help")).out);
  });
});

describe("usage", () => {
  it("has a version", async () => {
    for (const flag of ["--version", "-V"]) {
      expect(await run(flag)).toEqual({ code: 0, out: `${packageFile.version}\n`, err: "" });
    }
  });

  it.each([
    ["", "Usage: arcflux"],
    ["frobnicate", "unknown command 'frobnicate'"],
    ["rendr", "Did you mean render?"],
    ["validate --bogus", "unknown option '--bogus'"],
    ["validate a b", "too many arguments"],
    ["render --cluster", "argument missing"],
    ["explain", "missing required argument 'cluster'"],
    ["graph --format svg", "Allowed choices are mermaid, dot, json"],
    ["import", "Name a folder, a file, - for standard input, --context, or --subscription"],
    ["status --timeout 1000000h", "It is longer than a week; write at most 168h."],
    [`wait --timeout ${"9".repeat(400)}s`, "It is longer than a week"],
  ])("arcflux %s is wrong, says why on standard error, and ends with 2", async (args, reason) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(reason);
  });
});

describe("an option without a value", () => {
  it.each([
    ["validate", "--repo", ""],
    ["validate", "--repo", " "],
    ["render", "--out", ""],
    ["explain", "edge-0", "--file", ""],
    ["import", ".", "--out", ""],
  ])("%s %s %s is wrong usage", async (...args) => {
    await save(fleetText());
    const { code, out, err } = await arcflux(args, path());
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("It is empty");
  });
});

describe.runIf(existsSync("/dev/full"))("a full disk", () => {
  it("is told in one line, and ends with 1", async () => {
    await save(fleetText({ cluster: "sets: { pos: {} }" }));
    for (const command of ["validate", "validate --json", "render", "schema"]) {
      const { code, out, err } = await run(command, { into: "/dev/full" });
      expect([command, code, out, err]).toEqual([
        command,
        1,
        "",
        "Standard output cannot be written (ENOSPC).\n",
      ]);
    }
  });
});

describe("colour", () => {
  const terminal = { node: ["--import", "data:text/javascript,process.stderr.isTTY=true"] };

  it("is for a terminal alone, and not with NO_COLOR", async () => {
    await save(fleetText({ cluster: "sets:\n  pos:\n  Web: {}" }));
    const plain = (await run("validate")).err;
    expect(plain).not.toContain("\u001b");
    const coloured = (await run("validate", terminal)).err;
    expect(coloured).toContain("\u001b[33mfleet.yaml:9:7: warning:\u001b[39m");
    expect(coloured).toContain("\u001b[31mfleet.yaml:10:7:\u001b[39m");
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
    expect((await run("validate", { ...terminal, env: { NO_COLOR: "1" } })).err).toBe(plain);
  });
});
