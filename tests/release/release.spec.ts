import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type GitServer, startGitServer } from "../../lab/gitServer.ts";
import { cacheFolder } from "../../values/cacheFolder.ts";
import { StageShop } from "../stages/stageShop.ts";

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata: { value: "${value}" }\n`;

// The engine that set-up built is in the user's own cache.
const cache = cacheFolder(process.env);
let shop: StageShop;
let server: GitServer;
beforeEach(async () => {
  shop = await StageShop.open({
    "infrastructure/limits.yaml": configMap("limits", "${site}"),
    "apps/pos/pos.yaml": configMap("pos", "1"),
  });
  vi.stubEnv("ARCFLUX_CACHE_DIR", cache);
  shop.git("tag", "v1.4.0", "main");
  server = await startGitServer({ root: shop.shop.folder });
  // A source of the same repository is one that Flux could fetch.
  shop.serve(`${server.url}/fleet.git`, "branch: main");
});
afterEach(async () => {
  await server.close();
  shop.close();
});

/** Two stores pinned to v1.4.0, one that follows a range, and what else the fleet file says. */
function fleet(variables = "{ site: s-1 }", own = ""): void {
  shop.fleet(
    { dev: "branch: main" },
    [
      "sources: { infrastructure: { kind: GitRepository, url: self, ref: { tag: v1.4.0 } } }",
      "sets: { infrastructure: { path: ./infrastructure, source: infrastructure }, pos: { path: ./apps/pos } }",
      `groups: { all: { match: {}, variables: ${variables}, sets: { infrastructure: {}, pos: {} } } }`,
    ].join("\n"),
    {
      "store-1": `stage: dev${own}`,
      "store-2": "stage: dev",
      "pilot-1": "stage: dev, pins: { infrastructure: { semver: 1.x } }",
    },
  );
}

const tags = () => shop.git("tag", "--list").split("\n");

describe("arcflux release", () => {
  it("tags what builds for every cluster, with the commits since the last tag, and never moves one", async () => {
    fleet();
    shop.commit("main", { "apps/pos/pos.yaml": configMap("pos", "2") }, "Another folder");
    shop.commit(
      "main",
      { "infrastructure/limits.yaml": configMap("limits", "${site} 2") },
      "Raise the limits",
    );
    const looked = await shop.run("release", "v1.5.0", "--dry-run");
    expect([looked.code, looked.err, tags()]).toEqual([0, "", ["v1.4.0"]]);
    const tip = shop.git("rev-parse", "main");
    expect(looked.out).toBe(
      [
        `v1.5.0 of ./infrastructure: ${tip.slice(0, 10)} (Raise the limits) on main`,
        "Built for 3 clusters: 1 different build.",
        "  infrastructure at tag v1.4.0: store-1, store-2",
        "  infrastructure at semver 1.x: pilot-1, which take v1.5.0 as soon as it is there",
        "Since v1.4.0: 1 commit of 2 changes ./infrastructure.",
        `  ${tip.slice(0, 10)} Raise the limits (Pat)`,
        "v1.5.0 can be made. Nothing was changed.",
        "",
      ].join("\n"),
    );

    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(shop.shop.folder, "key")]);
    vi.stubEnv("ARCFLUX_GIT_SIGNING_KEY", readFileSync(join(shop.shop.folder, "key"), "utf8"));
    const { code, out, err } = await shop.run("release", "v1.5.0");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^v1\.5\.0 is there, signed\. Roll it out: /m);
    expect(shop.git("rev-parse", "v1.5.0^{commit}")).toBe(tip);
    expect(
      shop.git(
        "for-each-ref",
        "--format=%(taggername) %(taggeremail)%0a%(contents:subject)%0a%(contents:body)",
        "refs/tags/v1.5.0",
      ),
    ).toBe(
      `Kim <kim@example.com>\nRelease v1.5.0\n./infrastructure since v1.4.0:\n\n- ${tip.slice(0, 10)} Raise the limits`,
    );
    const signers = join(shop.shop.folder, "signers");
    writeFileSync(signers, `kim@example.com ${readFileSync(join(shop.shop.folder, "key.pub"), "utf8")}`);
    const verify = [
      "-c",
      `gpg.ssh.allowedSignersFile=${signers}`,
      "--git-dir",
      shop.repository,
      "tag",
      "-v",
      "v1.5.0",
    ];
    expect(spawnSync("git", verify, { env: shop.shop.env }).status).toBe(0);

    const before = shop.git("rev-parse", "v1.5.0");
    shop.commit("main", { "infrastructure/limits.yaml": configMap("limits", "${site} 3") });
    const again = await shop.run("release", "v1.5.0");
    expect([again.code, again.err]).toEqual([
      2,
      `The tag v1.5.0 is there, at ${tip.slice(0, 10)}, and a release never moves one. Choose another name.\n`,
    ]);
    expect(shop.git("rev-parse", "v1.5.0")).toBe(before);
    const bad = await shop.run("release", "v1..6", "--path", "../secrets");
    expect([bad.code, bad.err.split("\n").length]).toEqual([2, 3]);
    const elsewhere = await shop.run("release", "v1.6.0", "--path", "./apps");
    expect([elsewhere.code, elsewhere.err]).toEqual([
      2,
      expect.stringContaining("No cluster takes anything below"),
    ]);
  });

  it("finds variables that nothing uses or defines and chart versions by variable, and makes no tag of what fails", async () => {
    fleet("{ other: x }");
    const release = [
      "apiVersion: helm.toolkit.fluxcd.io/v2",
      "kind: HelmRelease",
      "metadata: { name: cert-manager, namespace: default }",
      'spec: { interval: 1h, chart: { spec: { chart: cert-manager, version: "${other_version}", sourceRef: { kind: HelmRepository, name: jetstack } } } }',
    ];
    shop.commit("main", { "infrastructure/cert-manager.yaml": `${release.join("\n")}\n` });
    const found = await shop.run("release", "v1.5.0", "--strict");
    expect([found.code, tags()]).toEqual([2, ["v1.4.0"]]);
    expect(found.err).toMatch(
      /infrastructure\/limits\.yaml.* has \$\{site\}, which nothing defines.*\[undefined-variable\]$/m,
    );
    expect(found.err).toMatch(/nothing uses the variable other \(of 3 clusters\).*\[unused-variable\]$/m);
    expect(found.err).toMatch(
      /infrastructure\/cert-manager\.yaml: HelmRelease cert-manager has the chart version \$\{other_version\}: the tag does not say/,
    );
    // The pin of one cluster has nothing to do with what is released.
    fleet("{ site: s-1 }");
    shop.commit("main", { "infrastructure/cert-manager.yaml": "replicas: 3\n" });
    const broken = await shop.run("release", "v1.5.0");
    expect([broken.code, broken.err, tags()]).toEqual([
      2,
      expect.stringMatching(/infrastructure\/cert-manager\.yaml.*\[build\]$/m),
      ["v1.4.0"],
    ]);
    expect(broken.out).toMatch(/v1\.5\.0 was not made: correct what was found\.\n$/);
  });
});
