import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

import { type ArmServer, startArm } from "../../lab/azure/http/startArm.ts";
import { type GitServer, startGitServer } from "../../lab/gitServer.ts";
import { seedRepository } from "../../lab/seedRepository.ts";
import { arcflux } from "../cli/process.ts";
import { report } from "../status/labFleet.ts";

/* A device that was stolen, behind the lab's Azure. */

const recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
const fleet = `# The fleet.
apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git, access: token }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
recipients:
  - age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg
secrets: { till-api: { keys: { token: { config: "till-{cluster}" } } } }
clusters:
  one: # in the back room
    recipient: ${recipient}
  two: { recipient: ${recipient} }
  three: {}
  four: {}
  device: { platform: kubernetes, lifecycle: lost, kubeconfig: { context: device } }
  pos:
    platform: kubernetes
    kubeconfig: { context: pos }
    repository: { credentials: { config: "token-{cluster}" } }
    recipient: ${recipient}
    sets: { menu: {} }
sources: { menu: { kind: OCIRepository, url: oci://registry.example.com/menu, ref: { tag: v1 }, secretRef: { name: menu-pull } } }
sets: { menu: { source: menu, postBuild: { substituteFrom: [{ kind: Secret, name: menu-pins }] } } }
`;
let dir: string;
let arm: ArmServer;
let git: GitServer;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "arcflux-revoke-"));
  for (const name of ["one", "two", "three", "four"]) report(dir, { name, runs: "1".repeat(40), sets: [] });
  arm = await startArm({ dir });
  git = await startGitServer({ root: join(dir, "git") });
  await writeFile(join(dir, "fleet.yaml"), fleet);
  const sops = `data: { a: "ENC[AES256_GCM,data:x]" }\nsops: { age: [{ recipient: ${recipient} }], mac: x }\n`;
  await seedRepository(join(dir, "git", "fleet.git"), "main", {
    "apps/till/secret.enc.yaml": `a: 1\n---\n${sops}`,
    "apps/till/.env": `A=ENC[x]\nsops_age__list_0__map_recipient=${recipient}\n`,
    "apps/other.enc.yaml": sops.replace(recipient, "age1other"),
    // Nobody can read it for sure.
    "apps/till/torn.enc.yaml": `a: *nowhere\n${sops}`,
    // These speak of the key, or an update writes them.
    "docs/keys.yaml": `recipients: [${recipient}]\n`,
    "clusters/two/secrets/till-api.yaml": sops,
  });
});
afterAll(async () => {
  await Promise.all([arm.close(), git.close()]);
  await rm(dir, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  arcflux(["revoke", "one", "--reason", "stolen, case 4711", ...args], dir, {
    env: { ARCFLUX_ARM_ENDPOINT: arm.url, ARCFLUX_REPOSITORY_URL: `${git.url}/fleet.git` },
  });
const isInAzure = (name: string) =>
  access(join(dir, "azure", "rg-edge", name, "cluster.json")).then(
    () => true,
    () => false,
  );

it("shows what would be done, and does it when that is meant: the identity ends, and all it could read is named", async () => {
  const plan = await run();
  expect(plan.code).toBe(1);
  expect(plan.out).toMatch(/^Arc identity to end: \/subscriptions\/.*\/connectedClusters\/one\.\n/);
  expect(plan.out).toContain("Nothing was changed. Do it: --yes.");
  expect(plan.out).toContain(
    `encrypt them anew, with other values in them:\n  sops rotate -i --rm-age ${recipient} apps/till/.env   # on main\n  sops rotate -i --rm-age ${recipient} apps/till/secret.enc.yaml   # on main\n  sops rotate -i --rm-age ${recipient} apps/till/torn.enc.yaml   # on main\nWhoever`,
  );
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(fleet);
  expect(await isInAzure("one")).toBe(true);

  const done = await run("--yes");
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain("Arc identity ended:");
  expect(done.out).toContain("  till-api: stack config arcflux:till-one\n");
  expect(done.out).toContain(
    "arcflux:repositoryToken, the credential of the repository, which 5 clusters share",
  );
  await expect.poll(() => isInAzure("one"), { timeout: 20_000 }).toBe(false);
  expect(await isInAzure("two")).toBe(true);
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(
    `${fleet
      .replace("  one: #", "  # Revoked: stolen, case 4711\n  one: #")
      .replace(`    recipient: ${recipient}`, "    lifecycle: lost")}\nremoved: [one/secrets]\n`,
  );
});

const revoke = (cluster: string, ...args: string[]) =>
  arcflux(["revoke", cluster, "--reason", "stolen", "--yes", ...args], dir, {
    env: { ARCFLUX_ARM_ENDPOINT: arm.url, ARCFLUX_REPOSITORY_URL: `${git.url}/nowhere.git` },
  });

it("names all that a device could read, and takes its key out everywhere; revokes a cluster without a key, and one that is lost already, again and again", async () => {
  const before = (await readFile(join(dir, "fleet.yaml"), "utf8")).replace(
    "recipients:\n",
    `recipients:\n  - ${recipient} # of the office\n`,
  );
  await writeFile(join(dir, "fleet.yaml"), before);
  expect(await revoke("three")).toMatchObject({ code: 0 });
  await expect.poll(() => isInAzure("three"), { timeout: 20_000 }).toBe(false);
  expect(await revoke("device")).toMatchObject({ code: 0 });
  const pos = await revoke("pos");
  expect(pos).toMatchObject({ code: 0 });
  expect(pos.out).toMatch(
    /people wrote for it could not be looked for \(.*\)\. In a clone: git grep -l age1/,
  );
  expect(pos.out).toContain("pos is lost, and its key is taken out, of recipients too.");
  for (const line of [
    "till-api: stack config arcflux:till-pos",
    "Secret flux-system/menu-pull, which source menu names",
    "Secret flux-system/menu-pins, which set menu names",
    "all encrypted secrets of the fleet, since its key is among recipients",
    "all encrypted secrets of two, with the same key: delete Secret flux-system/sops-age there",
    "stack config arcflux:token-pos, the credential of the repository, which it alone has",
  ])
    expect(pos.out).toContain(`  ${line}`);
  const after = before
    .replace(`recipients:\n  - ${recipient} # of the office\n`, "recipients:\n")
    .replace("  pos:", "  # Revoked: stolen\n  pos:")
    .replace(`    recipient: ${recipient}\n    sets`, "    sets")
    .replace("sets: { menu: {} }\n", "sets: { menu: {} }\n    lifecycle: lost\n")
    .replace("removed: [one/secrets]", "removed: [one/secrets, pos/secrets]")
    .replace("  three: {}", "  # Revoked: stolen\n  three: { lifecycle: lost }")
    .replace("  device:", "  # Revoked: stolen\n  device:");
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(after);
  expect(await revoke("device")).toMatchObject({ code: 0 });
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(after);
});

it("ends nothing where the fleet file cannot say it, and puts the remark at no line that looks alike", async () => {
  const before = await readFile(join(dir, "fleet.yaml"), "utf8");
  const text = before.replace(
    "clusters:\n",
    "clusters:\n  zero:\n    variables:\n      note: |\n        two: of it\n",
  );
  for (const [shared, message] of [
    [
      text.replace("  four: {}", "  four: &four {}\n  five: *four"),
      "five would change too, since it is an alias",
    ],
    [
      text.replace("  four: {}", "  five: &five {}\n  four: *five"),
      "clusters.four is an alias. Edit it by hand.",
    ],
  ] as const) {
    await writeFile(join(dir, "fleet.yaml"), shared);
    const { code, err } = await revoke("four");
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(await isInAzure("four")).toBe(true);
    expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(shared);
  }

  await writeFile(join(dir, "fleet.yaml"), text);
  expect(await revoke("two")).toMatchObject({ code: 0 });
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toMatch(
    /note: \|\n {8}two: of it\n {2}# Revoked: stolen, case 4711\n {2}one: [^]*\n {2}# Revoked: stolen\n {2}two: \{/,
  );
  await writeFile(join(dir, "fleet.yaml"), fleet);
});

it("writes nothing down where Azure does not end the identity", async () => {
  const before = await readFile(join(dir, "fleet.yaml"), "utf8");
  const { code, err } = await arcflux(["revoke", "four", "--reason", "stolen", "--yes"], dir, {
    env: { ARCFLUX_ARM_ENDPOINT: "http://127.0.0.1:1", ARCFLUX_REPOSITORY_URL: `${git.url}/fleet.git` },
  });
  expect(code).toBe(1);
  expect(err).toContain("Azure did not end the identity of four");
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(before);
});
