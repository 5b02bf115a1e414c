import { execFile } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { access, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { firstStart, kubeconfigScript } from "../../components/deviceScripts.ts";
import { openKubeconfig } from "../../components/openKubeconfig.ts";
import { resolveDevice } from "../../fleet/device.ts";
import { FaultList } from "../../lab/azure/armError.ts";
import { refuseLogin, refuseOpenPorts } from "../../lab/providers/deviceRules.ts";
import { bare, only, recordResources, type Registered, valueOf } from "../support/mocks.ts";

const run = promisify(execFile);

describe("SimulatedEdgeDevice", () => {
  let registered: Registered[];
  let kubeconfig: pulumi.Output<string>;
  const inputsOf = (type: string) => only(registered, `azure-native:${type}`).inputs;

  beforeAll(async () => {
    registered = await recordResources(2048);
    const { SimulatedEdgeDevice } = await import("../../components/simulatedEdgeDevice.ts");
    const device = new SimulatedEdgeDevice("edge-1", {
      ...resolveDevice({ address: "203.0.113.7/32" }),
      ...{ resourceGroupName: "rg-edge-edge-1-device", location: "westeurope", tags: { owner: "edge" } },
      hardware: 1,
    });
    kubeconfig = device.kubeconfig;
    await valueOf(kubeconfig);
  });

  it("has a resource group to itself, which everything is in", () => {
    expect(inputsOf("resources:ResourceGroup")).toEqual({
      ...{ resourceGroupName: "rg-edge-edge-1-device", location: "westeurope", tags: { owner: "edge" } },
    });
    const parts = registered.filter(({ type }) => /^azure-native:(network|compute):/.test(type));
    expect(parts).toHaveLength(6);
    for (const { inputs } of parts) expect(inputs["resourceGroupName"]).toBe("rg-edge-edge-1-device");
  });

  it("lets one address in, to Kubernetes alone, and Azure refuses none of it", () => {
    const { securityRules, ...rest } = inputsOf("network:NetworkSecurityGroup");
    expect(securityRules).toEqual([
      expect.objectContaining({
        ...{ access: "Allow", direction: "Inbound", protocol: "Tcp", destinationPortRanges: ["6443"] },
        sourceAddressPrefix: "203.0.113.7/32",
      }),
    ]);
    expect(faultsOf(refuseOpenPorts, { ...rest, securityRules })).toBe("");
    const open = [{ name: "all", direction: "Inbound", access: "Allow", sourceAddressPrefix: "*" }];
    expect(faultsOf(refuseOpenPorts, { securityRules: open })).toContain("lets everybody in");
    const { subnets } = inputsOf("network:VirtualNetwork") as { subnets: object[] };
    expect(subnets).toEqual([
      expect.objectContaining({ networkSecurityGroup: { id: expect.any(String) as string } }),
    ]);
  });

  it("is an Ubuntu that a key alone signs in to", () => {
    const inputs = inputsOf("compute:VirtualMachine");
    expect(inputs).toMatchObject({
      hardwareProfile: { vmSize: "Standard_B2s" },
      osProfile: { linuxConfiguration: { disablePasswordAuthentication: true } },
      storageProfile: { imageReference: { publisher: "Canonical" }, osDisk: { deleteOption: "Delete" } },
    });
    expect(inputs["osProfile"]).not.toHaveProperty("adminPassword");
    expect(faultsOf(refuseLogin, { ...inputs })).toBe("");
    const byPassword = { osProfile: { ...(inputs["osProfile"] as object), adminPassword: "x" } };
    expect(faultsOf(refuseLogin, byPassword)).toContain("password");
  });

  it("gives its kubeconfig as a secret, for its public address", async () => {
    const text = await valueOf(kubeconfig);
    expect(text).toContain("https://192.0.2.10:6443");
    expect(await pulumi.isSecret(kubeconfig)).toBe(true);
    expect(JSON.stringify(registered)).not.toContain("token-of-the-device");
  });
});

describe("the scripts of a device", () => {
  let folder: string;
  const bin = (name: string, text: string) =>
    writeFile(join(folder, name), `#!/bin/sh\n${text}\n`).then(() => chmod(join(folder, name), 0o755));
  /** Runs a script with the machine's folders in one of the test. */
  const shell = (script: string) => {
    const here = script
      .replaceAll(/\/opt\/arcflux|\/usr\/local\/bin|\/etc\/rancher\/k3s/g, folder)
      .replace("/var/log/cloud-init-output.log", join(folder, "log"));
    return run("sh", ["-c", here], { env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` } });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "arcflux-device-"));
    await writeFile(join(folder, "log"), "k3s: FAILED\n");
    for (const name of ["cloud-init", "systemctl"]) await bin(name, "exit 0");
    await bin("curl", `for last; do :; done; printf 'release' > ${folder}/k3s`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 4096 });
  const pem = privateKey.export({ type: "pkcs1", format: "pem" }) as string;
  const script = () =>
    kubeconfigScript("edge-1", "192.0.2.10", publicKey.export({ type: "spki", format: "pem" }) as string);

  it("say why there is no k3s", async () => {
    const failed: unknown = await shell(script()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stderr: "k3s was not installed: k3s: FAILED\n" });
    const { stderr: error } = failed as { stderr: string };
    const open = () => openKubeconfig("edge-1", { executionState: "Failed", error }, pem);
    expect(open).toThrow("edge-1: its device has no Kubernetes (k3s was not installed: k3s: FAILED)");
  });

  it.each([
    ["release", true],
    ["another", false],
  ])("run k3s only where its checksum is that of the fleet file: %s", async (expected, runs) => {
    const sha256 = createHash("sha256").update(expected).digest("hex");
    const text = firstStart({ version: "v1.36.5+k3s1", sha256 }, "192.0.2.10");
    const { write_files: files } = JSON.parse(text.replace("#cloud-config\n", "")) as {
      write_files: { content: string }[];
    };
    expect(files[0]?.content).toContain("/download/v1.36.5%2Bk3s1/k3s'");
    await bin("install", `echo ran > ${folder}/installed`);
    const ended = await shell(files[0]?.content ?? "").then(
      () => true,
      () => false,
    );
    const installed = await access(join(folder, "installed")).then(
      () => true,
      () => false,
    );
    await rm(join(folder, "installed"), { force: true });
    expect([ended, installed]).toEqual([runs, runs]);
  });

  it("print a kubeconfig that only the key of the stack opens, short enough for Azure", async () => {
    await bin("k3s", "exit 0");
    const certificate = Buffer.from(
      generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }),
    ).toString("base64");
    const server = "clusters:\n- cluster:\n    server: https://127.0.0.1:6443\n  name: default\n";
    const users = [1, 2, 3, 4].map((one) => `# ${one} ${certificate}\n`).join("");
    await writeFile(join(folder, "k3s.yaml"), `${server}current-context: default\n${users}`);
    const { stdout: output } = await shell(script());
    expect(output.length).toBeLessThan(4096);
    expect(openKubeconfig("edge-1", { output }, pem)).toBe(
      `${server.replace("127.0.0.1", "192.0.2.10").replace("default", "edge-1")}current-context: edge-1\n${users}`,
    );
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const wrong = other.export({ type: "pkcs1", format: "pem" }) as string;
    expect(() => openKubeconfig("edge-1", { output }, wrong)).toThrow("not encrypted to this stack's key");
  });
});

function faultsOf(
  refuse: typeof refuseLogin | typeof refuseOpenPorts,
  inputs: Record<string, unknown>,
): string {
  const faults = new FaultList();
  refuse(
    faults,
    Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, bare(value)])),
    undefined,
  );
  try {
    faults.throwIfAny();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
