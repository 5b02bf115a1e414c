import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadFleet } from "../fleet/load.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { startGitServer } from "../lab/gitServer.ts";
import { mustRun } from "../lab/run.ts";
import { GitWorkshop } from "../tests/support/gitWorkshop.ts";
import { bytesText, startCountingProxy, type Traffic } from "./countingProxy.ts";

const groups = 12;

/**
 * What clusters that poll cost a Git host: one look where nothing is new (a listing of refs, by the protocol that Flux's
 * source-controller speaks), and one fetch of a change (all files of the branch, one commit deep), on one branch for all, on
 * a branch for each group, and as an artifact for each group.
 */
export async function benchPolling(stores: number): Promise<string> {
  const shop = new GitWorkshop();
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  const files = filesOf(stores);
  const repository = await shop.repository({ ...Object.fromEntries(files.flat()), ...content });
  const server = await startGitServer({ root: shop.folder });
  const proxy = await startCountingProxy(server.url);
  const url = `${proxy.url}/${repository.slice(shop.folder.length + 1)}`;
  const git = async (...args: string[]): Promise<Traffic> => {
    Object.assign(proxy.traffic, { requests: 0, sent: 0, received: 0 });
    // Flux's source-controller reads the listing of refs of the older protocol, all refs in one.
    await mustRun("git", ["-c", "protocol.version=0", ...args], {
      cwd: dir,
      env: { ...process.env, ...shop.env },
    });
    return { ...proxy.traffic };
  };
  let clones = 0;
  const clone = (branch: string): Promise<Traffic> =>
    git(
      "clone",
      "--quiet",
      "--depth",
      "1",
      "--single-branch",
      "--branch",
      branch,
      url,
      join(dir, `c${(clones += 1)}`),
    );
  try {
    const look = await git("ls-remote", url, "refs/heads/main");
    const change = await clone("main");
    for (let group = 0; group < groups; group += 1) {
      const own = files.filter((_, index) => index % groups === group);
      shop.commit(
        repository,
        { ...Object.fromEntries(own.flat()), ...content },
        { branch: `group-${group}` },
      );
    }
    const lookOfGroups = await git("ls-remote", url, "refs/heads/group-0");
    const changeOfGroup = await clone("group-0");
    const tar = spawnSync("git", ["-C", repository, "archive", "group-0"], { maxBuffer: 1e9 }).stdout;
    const artifact = gzipSync(tar).length;
    const day = (bytes: number, minutes: number): string => bytesText((bytes * stores * 24 * 60) / minutes);
    return [
      `What ${stores} polling clusters cost the Git host (10 generated files and 8 shared manifests each)`,
      `  a look, nothing new    ${look.requests} request, ${bytesText(look.received)}: every minute ${day(look.received, 1)} a day, every 10 minutes ${day(look.received, 10)}`,
      `  the same with ${groups} branches more   ${bytesText(lookOfGroups.received)}`,
      `  a change, one branch   ${bytesText(change.received)} a cluster, ${bytesText(change.received * stores)} for all`,
      `  a branch per group     ${bytesText(changeOfGroup.received)} a cluster, ${bytesText(changeOfGroup.received * stores)} where all groups change, ${bytesText((changeOfGroup.received * stores) / groups)} where one does`,
      `  an artifact per group  ${bytesText(artifact)} a cluster, from a registry, which caches it: ${bytesText(artifact * stores)} for all, none of it from the Git host`,
    ].join("\n");
  } finally {
    await proxy.close();
    await server.close();
    await rm(dir, { recursive: true, force: true });
    shop.remove();
  }
}

const map = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata:\n${Array.from({ length: 40 }, (_, line) => `  key-${name}-${line}: value-${line * 7919}\n`).join("")}`;
const content = Object.fromEntries(
  ["pos", "till", "signage", "ingress", "logs", "metrics", "certs", "sensors"].map((name) => [
    `apps/${name}/all.yaml`,
    map(name),
  ]),
);

/** Generated files, cluster by cluster. */
function filesOf(stores: number): (readonly [string, string])[][] {
  const sets = Array.from({ length: 10 }, (_, index) => `set-${index}: { path: ./apps/pos }`).join(", ");
  const text = [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    `groups: { all: { match: {}, agents: present, sets: { ${sets} } } }`,
    "clusters:",
    ...Array.from(
      { length: stores },
      (_, index) => `  store-${index}: { variables: { site: s${index * 7919} } }`,
    ),
    "",
  ].join("\n");
  const { fleet } = loadFleet(text, "fleet.yaml");
  if (fleet === undefined) throw new Error("the fleet of the bench has errors");
  return fleet.clusters.map((cluster) =>
    Object.entries(renderClusterFolder(cluster, fleet)).map(
      ([path, file]) => [`${cluster.folder}/${path}`, file] as const,
    ),
  );
}
