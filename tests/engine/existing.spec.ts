import { readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { registerConnectedCluster } from "../../lab/lab.ts";
import { subscriptionId } from "../../lab/azure/armId.ts";
import { LabStack } from "../../lab/stack.ts";
import { mustRun } from "../../lab/run.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";
import { report } from "../status/labFleet.ts";

/* What Azure or a cluster has already and the stack's state has not, found before anything is written. */

const cli = join(import.meta.dirname, "..", "..", "cli", "arcflux.ts");

const refusal = JSON.stringify({
  error: { code: "AuthorizationFailed", message: "The client may not read" },
});

/** One of them in a subscription that the fleet file names. */
const named = (fleet: string) =>
  fleet.replace("  shop-4:\n", `  shop-4:\n    arc: { subscription: ${subscriptionId} }\n`);
const fleetOfTwo = named(presentFleet({ "shop-3": ["till"], "shop-4": ["till"] }));

describe("Flux that is in Azure already", () => {
  let test: TestLab;
  let stack: LabStack;
  const importFile = async (): Promise<string> => {
    const file = join(test.lab.dir, "existing.json");
    await writeFile(
      file,
      await mustRun("node", [cli, "existing", stack.fleetFile, "--cluster", "shop-3"], {
        cwd: test.lab.dir,
        env: test.env,
      }),
    );
    return file;
  };
  const takeOver = async (): Promise<void> => {
    const file = await importFile();
    await stack.must([
      ...["import", "--file", file, "--yes", "--protect=false", "--generate-code=false"],
      ...["--stack", stack.name],
    ]);
  };

  beforeAll(async () => {
    test = await startTestLab();
    report(test.lab.dir, { name: "shop-3", runs: "0".repeat(40), sets: [] });
    report(test.lab.dir, { name: "shop-4", runs: "0".repeat(40), sets: [] });
    // What the portal installs is the extension alone.
    for (const shop of ["shop-3", "shop-4"])
      await rm(join(test.lab.dir, "azure", "rg-edge", shop, "fluxConfigurations"), { recursive: true });
    stack = await LabStack.init(test.lab, "dev", fleetOfTwo);
  });
  afterAll(() => test.stop());

  it("stops the update before the commit, with the way to take it over", async () => {
    const before = await test.repository.commits();
    const up = await stack.operate("up", ["--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain(
      "shop-3, shop-4 have Flux in Azure already, which this stack does not know. Nothing was changed.",
    );
    expect(up.stdout + up.stderr).toContain("Write `adopt: true` to take it over");
    expect(await test.repository.commits()).toEqual(before);
  });

  it("is taken over by adopt: true, in one update that a preview without changes follows", async () => {
    await stack.writeFleet(`${fleetOfTwo}adopt: true\nflux: { lockdown: false }\n`);
    const preview = expectCode(await stack.operate("preview"), 0);
    expect(preview.stdout).toContain("shop-3, shop-4: Flux in Azure is taken over (adopt: true)");
    const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(up.stdout).not.toMatch(/replac|delet/);
    const extension = await readFile(
      join(test.lab.dir, "azure", "rg-edge", "shop-3", "extensions", "flux.json"),
      "utf8",
    );
    expect(extension).toMatch(/"multiTenancy.enforce": ?"false"/);
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  });

  it("is found again after the state was lost, and taken over with its configuration", async () => {
    const lost = join(test.lab.dir, "state", ".pulumi", "stacks", "arcflux", "dev.json");
    await rm(lost);
    stack = await LabStack.init(test.lab, "dev", fleetOfTwo);
    const preview = await stack.operate("preview");
    expect(preview.stdout + preview.stderr).toContain("have Flux in Azure already");
    // One by hand, the other by the update.
    await takeOver();
    await stack.writeFleet(`${fleetOfTwo}adopt: true\nbootstrap: { interval: 15m }\n`);
    const before = await test.repository.commits();
    const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(up.stdout).toContain("shop-4: Flux in Azure is taken over (adopt: true)");
    expect(up.stdout).not.toMatch(/replac|delet/);
    expect(await test.repository.commits()).toEqual(before);
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  });

  it("is refused for good where a configuration of that name has sets of its own", async () => {
    report(test.lab.dir, { name: "shop-5", runs: "0".repeat(40), sets: [] });
    await stack.writeFleet(
      named(presentFleet({ "shop-3": ["till"], "shop-4": ["till"], "shop-5": ["till"] })),
    );
    const preview = await stack.operate("preview");
    expect(preview.code).not.toBe(0);
    expect(preview.stdout + preview.stderr).toMatch(
      /shop-5 has a Flux configuration of the name in `config` in Azure, with other content\..* Write another `config`/,
    );
  });

  it("an update without Azure commits all files, fails, and leaves what is Azure's to the next", async () => {
    const refusing = createServer((_, response) =>
      response.writeHead(403, { "content-type": "application/json" }).end(refusal),
    );
    await new Promise<void>((listening) => refusing.listen(0, "127.0.0.1", listening));
    const { port } = refusing.address() as AddressInfo;
    const away = { ARCFLUX_ARM_ENDPOINT: `http://127.0.0.1:${port}` };
    await stack.writeFleet(
      named(presentFleet({ "shop-3": ["till"], "shop-4": ["till", "pos"], "shop-6": ["till"] })),
    );
    const preview = await stack.pulumi(["preview", "--stack", "dev"], undefined, away);
    expect(expectCode(preview, 0).stdout).toMatch(
      /Azure could not be asked \(.*\)\. An update commits the files of all clusters\. 1 are left to do in Azure: shop-6\./,
    );
    const up = await stack.pulumi(["up", "--yes", "--skip-preview", "--stack", "dev"], undefined, away);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toMatch(
      /The files of 3 clusters are committed; 1 are left to do in Azure: shop-6\. Check that you may read the clusters \(Reader\), and run again\./,
    );
    refusing.close();
    const files = Object.keys(await test.repository.files());
    expect(files).toEqual(
      expect.arrayContaining(["clusters/shop-4/flux/pos.yaml", "clusters/shop-6/flux/till.yaml"]),
    );
    const inAzure = (shop: string): boolean =>
      existsSync(join(test.lab.dir, "azure", "rg-edge", shop, "fluxConfigurations", "edge-config.json"));
    expect([inAzure("shop-4"), inAzure("shop-6")]).toEqual([true, false]);

    // Azure answers again, and nobody has connected the shop.
    const without = await stack.operate("up", ["--skip-preview"]);
    expect(without.code).not.toBe(0);
    expect(without.stdout + without.stderr).toMatch(
      /shop-6: Azure has no connected cluster shop-6 in rg-edge\. .*az connectedk8s connect --name shop-6 --resource-group rg-edge/,
    );
    expect(without.stdout + without.stderr).not.toContain("ParentResourceNotFound");
    registerConnectedCluster(test.lab.dir, { resourceGroup: "rg-edge", name: "shop-6" });
    const cluster = join(test.lab.dir, "azure", "rg-edge", "shop-6", "cluster.json");
    const connected = await readFile(cluster, "utf8");
    await writeFile(cluster, connected.replace('"Connected"', '"Connecting"'));
    const early = expectCode(await stack.operate("preview"), 0);
    expect(early.stdout).toContain(
      "shop-6: the connected cluster is in Azure, and its agents are not running (Connecting).",
    );
    expect(inAzure("shop-6")).toBe(false);
    await writeFile(cluster, connected);
    const rules = join(test.lab.dir, "subscription.json");
    await writeFile(rules, JSON.stringify({ unregistered: ["Microsoft.KubernetesConfiguration"] }));
    const refused = await stack.operate("up", ["--skip-preview"]);
    expect(refused.stdout).toMatch(
      /Microsoft\.KubernetesConfiguration is NotRegistered.*Nothing was changed\. az provider register/,
    );
    await rm(rules);
    const before = await test.repository.commits();
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect([inAzure("shop-6"), await test.repository.commits()]).toEqual([true, before]);
  });
});

describe("objects that are on a cluster already", () => {
  let test: TestLab;
  let server: Server;
  beforeAll(async () => {
    test = await startTestLab();
    server = createServer((request, response) => {
      const isThere = request.url?.endsWith("/gitrepositories/edge-config") === true;
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/json" }).end(
        JSON.stringify({
          metadata: {
            labels: { "kustomize.toolkit.fluxcd.io/name": "flux-system" },
            managedFields: [{ manager: "kustomize-controller", fieldsV1: { "f:spec": {} } }],
          },
          spec: { url: "https://git.example.com/other.git" },
        }),
      );
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  });
  afterAll(async () => {
    server.close();
    await test.stop();
  });

  it("stop preview and update before the commit where somebody else has them", async () => {
    const { port } = server.address() as AddressInfo;
    const kubeconfig = join(test.lab.dir, "kubeconfig.json");
    await writeFile(
      kubeconfig,
      JSON.stringify({
        ...{ apiVersion: "v1", kind: "Config", "current-context": "till" },
        clusters: [
          { name: "till", cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } },
        ],
        contexts: [{ name: "till", context: { cluster: "till", user: "till" } }],
        users: [{ name: "till", user: {} }],
      }),
    );
    const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
clusters: { till-1: { kubeconfig: { context: till }, sets: { till: {} } } }
`;
    const stack = await LabStack.init(test.lab, "dev", fleet);
    const before = await test.repository.commits();
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const ran = await stack.pulumi([...command, "--stack", "dev"], undefined, { KUBECONFIG: kubeconfig });
      expect(ran.code).not.toBe(0);
      expect(ran.stdout + ran.stderr).toMatch(
        /till-1 has GitRepository edge-config of Kustomization flux-system already\. Nothing was changed\./,
      );
    }
    expect(await test.repository.commits()).toEqual(before);
  });
});
