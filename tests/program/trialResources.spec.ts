import { expect, it } from "vitest";

import { trialResources } from "../../program/trialResources.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";

it("shows policies the extension and configuration as the update would ask Azure for them", async () => {
  const fleet = mustLoad(
    fleetText({
      cluster:
        'arc: { extension: { version: "1.20.1", strictSubstitution: true } }\nsuspend: { reason: recall }',
    }),
  );
  const facts = { clusters: {}, stages: [] };
  const resources = await trialResources(fleet, facts);
  const inputsOf = (kind: string) => resources.find(({ type }) => type.endsWith(kind))?.inputs;
  expect(inputsOf(":Extension")).toMatchObject({
    ...{ version: "1.20.1", autoUpgradeMinorVersion: false },
    configurationSettings: { "kustomize-controller.strict-substitution-mode": "true" },
  });
  expect(inputsOf(":FluxConfiguration")).toMatchObject({ suspend: true });
});
