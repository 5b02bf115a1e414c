import { expect, it } from "vitest";

import { renderedFolder } from "../../program/renderedFolder.ts";
import { trialResources } from "../../program/trialResources.ts";
import type { TrialResource } from "../../policy/trial.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";

const facts = { clusters: {}, stages: [] };
/** What the update would ask Azure for, by the end of the type. */
const asked = async (text: string): Promise<(kind: string) => TrialResource["inputs"]> => {
  const resources = await trialResources(mustLoad(text), facts);
  return (kind) => resources.find(({ type }) => type.endsWith(kind))?.inputs ?? {};
};

it.each([
  ["as it is", "", "", "./clusters/edge-0/flux"],
  ["with other folders", 'layout: { cluster: "edges/{cluster}", flux: gitops }', "", "./edges/edge-0/gitops"],
  ["with the flux folder as the cluster's", "layout: { flux: . }", "", "./clusters/edge-0"],
  ["of a stage", "stages: { prod: { branch: prod } }", "stage: prod", "./clusters/edge-0/flux"],
])(
  "C05, C06: a fleet %s has one bootstrap, at the folder and branch that its sets are committed for",
  async (_, top, cluster, path) => {
    const text = fleetText({ top, cluster: `${cluster}\nsets: { pos: { path: ./pos, wait: true } }` });
    const fleet = mustLoad(text);
    const { gitRepository, kustomizations } = (await asked(text))(":FluxConfiguration") as {
      gitRepository: object;
      kustomizations: Record<string, Record<string, unknown>>;
    };
    const [one] = fleet.clusters;
    // A set that never becomes healthy must not hold up the bootstrap, whose default in Azure is to wait.
    expect(kustomizations).toMatchObject({ bootstrap: { path, wait: false, prune: true } });
    expect(Object.keys(kustomizations)).toEqual(["bootstrap"]);
    expect(gitRepository).toMatchObject({ repositoryRef: { branch: one?.stage ?? "main" } });
    const files = Object.keys(renderedFolder(one!, fleet));
    expect(files.map((file) => `./${one?.folder}/${file}`)).toContain(`${path}/pos.yaml`);
  },
);

it("C08: an extension is held at a version or upgraded by Azure, never both", async () => {
  const extension = async (cluster: string) => (await asked(fleetText({ cluster })))(":Extension");
  expect(await extension("")).toMatchObject({ autoUpgradeMinorVersion: true });
  expect(await extension("")).not.toHaveProperty("version");
  expect(await extension('arc: { extension: { version: "1.24.1" } }')).toMatchObject({
    ...{ version: "1.24.1", autoUpgradeMinorVersion: false },
  });
});

it("shows policies the extension and configuration as the update would ask Azure for them", async () => {
  const inputsOf = await asked(
    fleetText({
      cluster:
        'arc: { extension: { version: "1.20.1", strictSubstitution: true } }\nsuspend: { reason: recall }',
    }),
  );
  expect(inputsOf(":Extension")).toMatchObject({
    ...{ version: "1.20.1", autoUpgradeMinorVersion: false },
    configurationSettings: { "kustomize-controller.strict-substitution-mode": "true" },
  });
  expect(inputsOf(":FluxConfiguration")).toMatchObject({ suspend: true });
});
