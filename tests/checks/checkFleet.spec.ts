import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFleet, type FleetChecks } from "../../checks/checkFleet.ts";
import { formatFinding, formatPath } from "../../fleet/finding.ts";
import type { Fleet } from "../../fleet/model.ts";
import { loadFleet } from "../../fleet/load.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { fleetText } from "../fleet/fixture.ts";
import { startFrontServer } from "../support/frontServer.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";

let workshop: GitWorkshop;
beforeEach(() => (workshop = new GitWorkshop()));
afterEach(() => workshop.remove());

const finding: FleetChecks["finding"] = (severity, path, message) => ({
  severity,
  file: "fleet.yaml",
  line: 1,
  column: 1,
  path: formatPath(path),
  message,
});
const context = () => ({ env: workshop.env, tempRoot: workshop.tempRoot });
const manifest = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: '${value}' }\n`;

/** Two findings: a folder that is not there, and a variable that nothing uses. */
const fleet = fleetOf(
  clusterOf("edge-0", [
    setOf("pos", { postBuild: { substitute: { used: "1", unused: "1" } } }),
    setOf("gone"),
  ]),
);
const files = { "apps/pos/a.yaml": manifest("${used}") };
const expected = [
  "warning clusters.edge-0.sets.gone.path",
  "warning clusters.edge-0.sets.pos.postBuild.substitute.unused",
];
const summary = async (fleet: Fleet, checks: Partial<FleetChecks>) =>
  (await checkFleet(fleet, { finding, context: context(), ...checks })).findings
    .map(({ severity, path }) => `${severity} ${path}`)
    .sort();

it("an update stops where a host limits how often it is asked, and a preview warns", async () => {
  await workshop.repository(files);
  const server = await startGitServer({ root: workshop.folder });
  const front = await startFrontServer(server.url);
  front.answer = (_, response) => {
    response.writeHead(429, { "Retry-After": "2" }).end();
    return true;
  };
  try {
    // Every wait is over at once.
    const impatient = { ...context(), sleep: () => Promise.resolve() };
    const at = (unreachable: "stop" | "warn") =>
      checkFleet(fleet, { finding, context: impatient, repository: `${front.url}/fleet.git`, unreachable });
    const [{ findings, mayDelete }, preview] = [await at("stop"), await at("warn")];
    expect(findings).toMatchObject([{ severity: "error" }]);
    expect(findings[0]?.message).toMatch(/nobody can tell what the update would delete/);
    expect(mayDelete).toBeUndefined();
    expect(preview.findings).toMatchObject([{ severity: "warning", path: "repository.url" }]);
  } finally {
    await front.close();
    await server.close();
  }
});

describe("where the repository is", () => {
  it("may be a bare repository, by path or URL, also one whose server takes no filters", async () => {
    const repository = await workshop.repository(files);
    expect(await summary(fleet, { repository })).toEqual(expected);
    expect(await summary(fleet, { repository: `file://${repository}` })).toEqual(expected);
    for (const key of ["allowFilter", "allowAnySHA1InWant"]) {
      workshop.git(repository, "config", `uploadpack.${key}`, "false");
      // Each way of reading is remembered by URL.
      expect(await summary(fleet, { repository: `file://${repository}/.` })).toEqual(expected);
    }
  });

  it("may be a server, with a token", async () => {
    await workshop.repository(files);
    const server = await startGitServer({ root: workshop.folder, token: "s3cr3t-t0ken" });
    try {
      const env = { ...workshop.env, ARCFLUX_GIT_TOKEN: "s3cr3t-t0ken" };
      const served = { ...fleet, repository: { ...fleet.repository, url: `${server.url}/fleet.git` } };
      expect(await summary(served, { context: { ...context(), env } })).toEqual(expected);

      const wrong = { ...workshop.env, ARCFLUX_GIT_TOKEN: "an0ther-t0ken" };
      const refused = { finding, context: { ...context(), env: wrong } };
      const preview = await checkFleet(served, { ...refused, unreachable: "warn" });
      const [warning, ...none] = preview.findings;
      expect([warning?.severity, warning?.path, none]).toEqual(["warning", "repository.url", []]);
      expect(warning?.message).toMatch(
        /^could not be read, so the fleet was not checked against it; an update stops here/,
      );
      expect(warning?.message).not.toContain("an0ther-t0ken");
      const update = await checkFleet(served, { ...refused, unreachable: "stop" });
      expect(update.findings).toMatchObject([{ severity: "error", path: "repository.url" }]);
    } finally {
      await server.close();
    }
  });

  it("may be a folder on disk, whose names are taken exactly, and whose links lead out", async () => {
    const folder = join(workshop.folder, "work");
    const save = (path: string, text: string) => {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    save("apps/pos/a.yaml", manifest("${used}"));
    save(".git/HEAD", "ref: refs/heads/main\n");
    expect(await summary(fleet, { repository: folder })).toEqual(expected);
    rmSync(join(folder, "apps/pos"), { recursive: true });
    symlinkSync(folder, join(folder, "apps/pos"));
    // Flux has no link in what it fetches, so the folder is not there for it.
    const linked = ["error clusters.edge-0.sets.pos.path", ...expected.slice(0, 1)];
    expect(await summary(fleet, { repository: folder })).toEqual(linked);
    rmSync(join(folder, "apps/pos"));
    save("apps/Pos/a.yaml", manifest("${used}"));
    const { findings } = await checkFleet(fleet, { finding, repository: folder });
    expect(findings.map(formatFinding).join("\n")).toContain("but ./apps/Pos is: upper and lower case count");
  });

  it("is a failure, or a warning where one is asked for, when there is none", async () => {
    const missing = join(workshop.folder, "missing.git");
    await expect(checkFleet(fleet, { finding, context: context(), repository: missing })).rejects.toThrow(
      missing,
    );
    expect(await summary(fleet, { repository: missing, unreachable: "warn" })).toEqual([
      "warning repository.url",
    ]);
    const empty = await workshop.repository({});
    expect(await summary(fleet, { repository: empty, unreachable: "warn" })).toEqual([
      "warning repository.url",
    ]);
  });
});

describe("what it costs", () => {
  /** A git that notes down each fetch. */
  function countingGit(): { readonly env: NodeJS.ProcessEnv; readonly fetches: () => number } {
    const bin = join(workshop.folder, "bin");
    const log = join(workshop.folder, "fetches");
    mkdirSync(bin, { recursive: true });
    const real = workshop.env["PATH"]!.split(":").map((folder) => join(folder, "git"));
    writeFileSync(
      join(bin, "git"),
      `#!/bin/sh\ncase " $* " in *" fetch "*) echo >> '${log}' ;; esac\nfor git in ${real.join(" ")}; do [ -x "$git" ] && exec "$git" "$@"; done\n`,
    );
    chmodSync(join(bin, "git"), 0o755);
    writeFileSync(log, "");
    return {
      env: { ...workshop.env, PATH: `${bin}:${workshop.env["PATH"]}` },
      fetches: () => {
        const { length } = readFileSync(log, "utf8");
        writeFileSync(log, "");
        return length;
      },
    };
  }

  it("is about as many fetches for forty clusters as for two", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `edge-${index}`);
    const all = fleetOf(
      ...names.map((name) =>
        clusterOf(name, [
          setOf("a", { path: `./clusters/${name}/sets/a`, postBuild: { substitute: { v: "1" } } }),
          setOf("b", { path: `./clusters/${name}/sets/b`, postBuild: { substitute: { v: "1" } } }),
        ]),
      ),
    );
    const committed: Record<string, Fixture[string]> = {};
    for (const cluster of all.clusters) {
      for (const [path, text] of Object.entries(renderClusterFolder(cluster, all)))
        committed[`${cluster.folder}/${path}`] = text;
      for (const set of ["a", "b"])
        committed[`${cluster.setsFolder}/${set}/x.yaml`] = manifest("${v} ${gone");
    }
    const repository = await workshop.repository(committed);
    const { env, fetches } = countingGit();
    const check = (clusters: number, checks: Partial<FleetChecks>) =>
      summary(
        { ...all, clusters: all.clusters.slice(0, clusters) },
        {
          repository,
          context: { ...context(), env },
          whose: { declared: all.clusters, owner: undefined },
          ...checks,
        },
      );

    // Each set stops at `${gone`, and all of them together leave a variable unused.
    expect(await check(2, {})).toHaveLength(5);
    const two = fetches();
    expect(await check(40, {})).toHaveLength(81);
    // Builds ask for their files in batches, which need not end at once.
    expect(fetches()).toBeLessThanOrEqual(two + 1);
  });
});

describe("where a finding stands", () => {
  it("is where the value comes from, be it a shared set", async () => {
    const text = fleetText({
      top: "sets: { pos: { path: ./apps/pos } }",
      cluster: "sets: { pos: {} }",
    });
    const loaded = loadFleet(text, "fleet.yaml");
    const repository = await workshop.repository({ a: "a\n" });
    const { findings } = await checkFleet(loaded.fleet!, {
      finding: loaded.finding,
      context: context(),
      repository,
    });
    expect(findings.map(formatFinding)).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:4:22: warning: sets\.pos\.path: "\.\/apps\/pos" is not in the repository/,
      ),
    ]);
  });
});
