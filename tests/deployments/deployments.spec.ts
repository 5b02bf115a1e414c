import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { DeploymentSettingsArgs, DriftScheduleArgs, TtlScheduleArgs } from "@pulumi/pulumiservice";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { settingsOf } from "../../deployments/program.ts";
import { workFolder } from "../cli/workFolder.ts";

/* The types of Pulumi's own provider say what it takes: a property that it does not know becomes `never`, and fails to compile. */
type Known<Ours, Theirs> = Ours extends readonly unknown[]
  ? Ours
  : Ours extends object
    ? {
        [K in keyof Ours]: K extends keyof NonNullable<Theirs>
          ? Known<Ours[K], NonNullable<Theirs>[K]>
          : NonNullable<Theirs> extends Record<string, string>
            ? Ours[K]
            : never;
      }
    : Ours;
type Settings = ReturnType<typeof settingsOf>;
type Takes = pulumi.Unwrap<DeploymentSettingsArgs>;
const asPulumiTakesThem = (settings: Settings): Takes => settings;
const withoutAnyOther = (settings: Settings): Known<Settings, Takes> => settings;

const { path, save, run } = workFolder();
const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg, location: westeurope }
groups: { all: { match: {}, agents: present } }
clusters:
  a-1: { labels: { region: north } }
  a-2: { labels: { region: north } }
  b-1: { labels: { region: south }, agents: install, kubeconfig: { context: b-1 } }
`;
const source = "--source https://github.com/edge/fleet-program.git";
const azure = "--azure-client-id app --azure-tenant-id tenant --azure-subscription-id sub";

it("makes a stack per region, its settings, drift spread over minutes, an end, and the subjects that Azure trusts", async () => {
  await save("name: edge\nruntime: nodejs\n", "Pulumi.yaml");
  await save(fleet);
  const args = `deployments --organization org ${source} --per region ${azure} --ttl south=2026-12-24T18:00:00Z`;
  const { code, out, err } = await run(args);
  expect(err).toBe(
    "A hosted runner does not reach b-1 by kubeconfig. Connect them on the device and say agents: present, or name your runners with --agent-pool.\n",
  );
  expect(code).toBe(0);
  expect(out).toContain("pulumi:deploy:org:org:project:edge:stack:south:operation:update:scope:write");
  const read = async (name: string): Promise<unknown> => parse(await readFile(join(path(), name), "utf8"));
  expect(await read("Pulumi.north.yaml")).toEqual({ config: { "arcflux:clusters": "region=north" } });
  const { resources, ...program } = (await read("deployments/Pulumi.yaml")) as {
    resources: Record<string, { type: string; properties: Settings & DriftScheduleArgs & TtlScheduleArgs }>;
  };
  expect(program).toMatchObject({
    ...{ name: "edge-deployments", runtime: "yaml" },
    config: { gitToken: { type: "string", secret: true } },
  });
  expect(Object.entries(resources).map(([name, { type }]) => [name, type])).toEqual([
    ["north-settings", "pulumiservice:DeploymentSettings"],
    ["north-drift", "pulumiservice:DriftSchedule"],
    ["south-settings", "pulumiservice:DeploymentSettings"],
    ["south-drift", "pulumiservice:DriftSchedule"],
    ["south-ttl", "pulumiservice:TtlSchedule"],
  ]);
  const settings = resources["south-settings"]!.properties;
  expect(asPulumiTakesThem(withoutAnyOther(settings))).toEqual({
    ...{ organization: "org", project: "edge", stack: "south" },
    sourceContext: { git: { branch: "refs/heads/main", repoDir: "." } },
    vcs: {
      ...{
        provider: "github",
        repository: "edge/fleet-program",
        deployCommits: true,
        previewPullRequests: true,
      },
      paths: ["fleet.yaml", "stores/**", "Pulumi.yaml", "Pulumi.south.yaml", "index.ts", "package-lock.json"],
    },
    operationContext: {
      preRunCommands: ["npm ci --ignore-scripts"],
      environmentVariables: { ARCFLUX_GIT_TOKEN: "${gitToken}", ARM_USE_OIDC: "true" },
      oidc: { azure: { clientId: "app", tenantId: "tenant", subscriptionId: "sub" } },
      options: { skipInstallDependencies: true, skipIntermediateDeployments: true },
    },
  });
  expect(resources["north-drift"]!.properties.scheduleCron).toBe("0 4 * * *");
  expect(resources["south-drift"]!.properties.scheduleCron).toBe("1 4 * * *");
  expect(resources["south-ttl"]!.properties.timestamp).toBe("2026-12-24T18:00:00Z");
});

it("refuses a cluster in two stacks, in none, and options that are none, and writes nothing then", async () => {
  await save("name: edge\nruntime: nodejs\n", "Pulumi.yaml");
  await save(fleet);
  await save("config: { arcflux:clusters: [a-1, a-2] }\n", "Pulumi.one.yaml");
  await save("config:\n  arcflux:clusters: a-2\n", "Pulumi.two.yaml");
  const wrong = await run(`deployments --organization org ${source}`);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    "b-1 is in no stack. Add what selects it to arcflux:clusters of one.\n" +
      "a-2 is in one and two, which would write the same folders. Correct arcflux:clusters of one.\n",
  ]);
  await expect(readFile(join(path(), "deployments/Pulumi.yaml"))).rejects.toThrow("ENOENT");
  const label = await run(`deployments --organization org ${source} --per ring`);
  expect([label.code, label.err]).toEqual([
    2,
    "a-1, a-2, b-1 have no label ring, and would be in no stack. Give each one.\n",
  ]);
  const leaks = await run("deployments --organization org --source https://ada:s3cret@git.example.com/p.git");
  expect([leaks.code, leaks.err.includes("s3cret")]).toEqual([2, false]);
});
