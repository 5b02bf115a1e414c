import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run as runHere } from "../../cli/start.ts";
import { fleetText } from "../fleet/fixture.ts";
import { configMap } from "../checks/repository.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { twoClusters, workFolder } from "./workFolder.ts";

const { path, save, run } = workFolder();
const document = (out: string) => JSON.parse(out) as Record<string, unknown>;
const warned = fleetText({ cluster: "sets:\n  pos:" });

describe("arcflux validate", () => {
  it("says what it checked, and takes fleet.yaml unless told otherwise", async () => {
    await save(twoClusters);
    expect(await run("validate")).toEqual({
      code: 0,
      out: "fleet.yaml is valid: 2 clusters, 3 sets.\n",
      err: "",
    });
  });

  it("prints every finding on standard error, without colour in a pipe, and ends with 2", async () => {
    await save(
      fleetText({ cluster: "sets: { pos: { interval: 1d, dependsOn: [db] }, Web: {} }" }),
      "edge.yaml",
    );
    const { code, out, err } = await run("validate edge.yaml");
    expect([code, out]).toEqual([2, ""]);
    expect(err.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "edge.yaml:8:30:",
      "edge.yaml:8:46:",
      "edge.yaml:8:53:",
      "3",
      "",
    ]);
    expect(err).not.toContain("\u001b");
  });

  it("prints warnings and ends with 0, and with --strict with 2", async () => {
    await save(warned);
    const { code, out, err } = await run("validate");
    expect([code, out]).toEqual([0, "fleet.yaml is valid: 1 cluster, no sets.\n"]);
    expect(err).toMatch(/^fleet\.yaml:9:7: warning: clusters\.edge-0\.sets\.pos: is empty, [^\n]*\n$/);
    const strict = await run("validate --strict");
    expect([strict.code, strict.out, strict.err]).toEqual([2, "", err.replace("warning: ", "")]);
  });

  it("prints one JSON document on standard output, whatever was found", async () => {
    await save(warned);
    const { code, out, err } = await run("validate --json");
    expect([code, err]).toEqual([0, ""]);
    expect(document(out)).toMatchObject({
      valid: true,
      clusters: 1,
      sets: 0,
      findings: [
        { severity: "warning", file: "fleet.yaml", line: 9, column: 7, path: "clusters.edge-0.sets.pos" },
      ],
    });
    const strict = await run("validate --json --strict");
    expect([strict.code, document(strict.out)]).toMatchObject([
      2,
      { valid: false, findings: [{ severity: "error" }] },
    ]);
    await save("clusters: [");
    const broken = await run("validate --json");
    expect([broken.code, broken.err]).toEqual([2, ""]);
    expect(document(broken.out)).toMatchObject({
      valid: false,
      clusters: 0,
      findings: [{ severity: "error" }],
    });
  });

  it("takes a file that is not there, a folder, or no text as findings", async () => {
    await mkdir(join(path(), "dir"));
    await save(Buffer.from([0x61, 0xe4, 0x0a]), "latin1.yaml");
    for (const [file, reason] of [
      ["nope.yaml", "does not exist"],
      ["dir", "is a folder"],
      ["latin1.yaml", "is not UTF-8"],
    ] as const) {
      const { code, err } = await run(`validate ${file}`);
      expect([code, err]).toEqual([2, expect.stringContaining(`${file}:1:1: ${reason}`)]);
    }
  });

  it("takes the URL of the environment in place of the file's, as the program does", async () => {
    await save(twoClusters.replace("https://git.example.com/edge/fleet.git", "nowhere"));
    expect((await run("validate")).code).toBe(2);
    const env = { ARCFLUX_REPOSITORY_URL: "https://git.example.com/other.git" };
    expect((await run("validate", { env })).code).toBe(0);
    await save(twoClusters);
    const wrong = await run("validate", { env: { ARCFLUX_REPOSITORY_URL: "nowhere" } });
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("correct it where it is set: ARCFLUX_REPOSITORY_URL in the environment"),
    ]);
    await save(twoClusters.replace("https://git.example.com", "https://user:S3CRETpw@git.example.com"));
    const left = await run("validate", { env });
    expect([left.code, left.err]).toEqual([
      2,
      expect.stringMatching(/repository\.url: has credentials .*this file is committed/),
    ]);
    expect(left.err).not.toContain("S3CRET");
  });

  it("checks every spec by the CRD of the version of Flux that its cluster runs", async () => {
    const set = "sets: { pos: { postBuild: { substituteStrategy: Always, substitute: { a: 1 } } } }";
    await save(fleetText({ cluster: set }));
    const old = await run("validate");
    expect([old.code, old.err]).toEqual([2, expect.stringMatching(/substituteStrategy.*2\.9/)]);
    await save(fleetText({ cluster: `${set}\nflux: { version: "2.9" }` }));
    expect(await run("validate")).toMatchObject({ code: 0, err: "" });
  });
});

describe("arcflux validate --repo", () => {
  const fleet = fleetText({ cluster: "sets: { pos: { path: ./apps/pos }, web: {} }" });

  it("takes a folder as it lies on disk, nothing of it committed", async () => {
    await save(fleet);
    await save(configMap("pos"), "repository/apps/POS/a.yaml");
    await save(configMap("web"), "repository/clusters/edge-0/sets/web/a.yaml");
    const { code, out, err } = await run("validate --repo repository");
    expect([code, out]).toEqual([0, "fleet.yaml is valid, and fits repository: 1 cluster, 2 sets.\n"]);
    expect(err).toBe(
      'fleet.yaml:8:26: warning: clusters.edge-0.sets.pos.path: "./apps/pos" is not in the repository, but ./apps/POS is: upper and lower case count; write ./apps/POS\n',
    );
    expect((await run("validate --repo repository --strict")).code).toBe(2);
  });

  it("prints names of the repository harmlessly: no line of its own, no command to a CI system", async () => {
    await save(fleetText({ cluster: "sets: {}" }));
    const names = ["x\n::add-mask::y", "##vso[task.complete]", "a\u001b[2Jb"];
    for (const name of names) await save("a: 1\n", `repository/clusters/edge-0/sets/${name}/a.yaml`);
    const { out, err } = await run("validate --repo repository");
    const lines = `${out}${err}`.trimEnd().split("\n");
    expect(lines.filter((line) => line.includes(" is in the repository"))).toHaveLength(3);
    expect(lines.join(" ")).toContain("sets/x\\u000a::add-mask::y is in the repository");
    expect(`${out}${err}`).not.toMatch(/^\s*::|##vso\[|\u001b/m);
  });

  it("takes a bare repository by its path and by its URL, and errors there end with 2", async () => {
    const workshop = new GitWorkshop();
    try {
      const repository = await workshop.repository({
        "apps/pos/a.yaml": configMap("pos"),
        "clusters/edge-0/sets/web/a.yaml": configMap("web"),
        "clusters/edge-0/flux/kustomization.yaml": "resources: [other.yaml]\n",
        "clusters/edge-0/flux/other.yaml": configMap("other"),
      });
      await save(fleet);
      for (const place of [repository, `file://${repository}`]) {
        const { code, out, err } = await run(`validate --repo ${place}`);
        expect([code, out]).toEqual([2, ""]);
        expect(err).toMatch(/^fleet\.yaml:6:3: clusters\.edge-0: .* leaves out pos\.yaml, web\.yaml/);
      }
      const json = await run(`validate --json --repo ${repository}`);
      expect([json.code, json.err]).toEqual([2, ""]);
      expect(document(json.out)).toMatchObject({ valid: false, findings: [{ severity: "error", line: 6 }] });
    } finally {
      workshop.remove();
    }
  });

  it("fails with 1 where there is no repository, no branch or no way to it, and still shows the findings", async () => {
    const workshop = new GitWorkshop();
    try {
      const repository = await workshop.repository({ a: "a\n" }, { branch: "trunk" });
      await save(warned);
      for (const [place, words] of [
        ["nowhere", /^nowhere does not exist\. Name a folder, a bare repository, or a URL/m],
        [repository, /has no branch main.*trunk/s],
        ["http://127.0.0.1:9/fleet.git", /Check the URL and the network/],
      ] as const) {
        const { code, out, err } = await run(`validate --repo ${place}`);
        expect([place, code, out]).toEqual([place, 1, ""]);
        expect(err).toMatch(words);
        expect(err).toContain("fleet.yaml:9:7: warning:");
        expect(err).not.toContain("    at ");
      }
      const json = await run("validate --json --repo nowhere");
      expect([json.code, json.err, document(json.out)["valid"]]).toEqual([1, "", false]);
      expect(document(json.out)["error"]).toEqual(expect.stringContaining("nowhere"));
    } finally {
      workshop.remove();
    }
  });

  it.each([
    ["https://user:S3CRETpw@127.0.0.1:1/x.git", "https://***@127.0.0.1:1/x.git"],
    ["https://S3CRETpw@127.0.0.1:1/x.git", "https://***@127.0.0.1:1/x.git"],
    ["https://user:S3C@S3CRETpw@127.0.0.1:1/x.git", "https://***@127.0.0.1:1/x.git"],
    ["https://user:S3C/S3CRETpw@127.0.0.1:1/x.git", "https://***@127.0.0.1:1/x.git"],
    ["https:/user:S3CRETpw@127.0.0.1/x.git", "https:/***@127.0.0.1/x.git"],
    ["ssh://git:S3CRETpw@127.0.0.1:1/x.git", "ssh://***@127.0.0.1:1/x.git"],
    ["git:S3CRETpw@127.0.0.1:x.git", "***@127.0.0.1:x.git"],
    ["file:///nowhere/a@b", "file:///nowhere/a@b"],
    ["http://127.0.0.1:9/a@b", "http://127.0.0.1:9/a@b"],
  ])("of %s shows no credential", async (place, shown) => {
    await save(fleet);
    const { code, out, err } = await run(`validate --repo ${place}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Not checked against (.*)\.$/m);
    expect(/^Not checked against (.*)\.$/m.exec(err)?.[1]).toBe(shown);
    expect(err).not.toContain("S3C");
    const json = await run(`validate --json --repo ${place}`);
    expect([json.code, json.err]).toEqual([1, ""]);
    expect(json.out).not.toContain("S3C");
  });

  it("shows no credential where a URL is typed in the wrong place", async () => {
    await save(fleet);
    for (const args of [
      "validate https://user:S3CRETpw@git.example.com/x.git",
      "validate --rep=https://user:S3CRETpw@git.example.com/x.git",
      "import https://user:S3CRETpw@git.example.com/x.git",
    ]) {
      const { code, out, err } = await run(args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("https://***@git.example.com/x.git");
      expect(err).not.toContain("S3C");
    }
  });

  // A password, a token alone, one that is cut short in messages, one that JSON escapes, and one that is a path.
  const long = `S3C${"x".repeat(80)}`;
  it.each(["user:S3Cpw", "S3Cpw", long, 'user:S3C"\\pw', "user:S3C//S3C/../pw"])(
    "shows no credential of a URL with %s, as whatever argument of whatever command, as text and as JSON",
    async (userInfo) => {
      await save(fleet);
      const url = `https://${userInfo}@git.example.com/x.git`;
      const here = process.cwd();
      process.chdir(path());
      for (const args of [
        ["validate", url],
        ["render", url],
        ["render", "--out", url],
        ["render", `--out=${url}`],
        ["render", "--cluster", url],
        ["explain", url],
        ["explain", "edge-0", url],
        ["explain", "edge-0", "--file", url],
        ["graph", url],
        ["graph", "--cluster", url],
        ["graph", "--format", url],
        ["import", url],
        ["import", ".", "--out", url],
        [url],
      ]) {
        for (const more of [[], ["--json"]]) {
          let said = "";
          const write = (text: string) => void (said += text);
          const paint = (_: string, text: string) => text;
          await runHere([...args, ...more], { out: write, err: write, paint });
          expect.soft(said, args.join(" ")).not.toContain("S3C");
          expect.soft(said, args.join(" ")).not.toBe("");
        }
      }
      process.chdir(here);
    },
  );

  it("does not go there with a fleet file that has errors", async () => {
    await save(fleetText({ cluster: "sets: { Pos: {} }" }));
    const { code, err } = await run("validate --repo nowhere");
    expect([code, err]).toEqual([2, expect.not.stringContaining("nowhere")]);
  });
});
