import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { checkFleet } from "../../checks/checkFleet.ts";
import { loadFleet } from "../../fleet/load.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

let workshop: GitWorkshop;
let repository: string;
beforeAll(async () => {
  workshop = new GitWorkshop();
  repository = await workshop.repository({ "infrastructure/a.yaml": "" });
  workshop.git(repository, "tag", "v1.4.0", "main");
  workshop.git(repository, "branch", "next", "main");
});
afterAll(() => workshop.remove());

/** The lines that say something of pins, for three stores of a stage that pins the source so. */
async function said(pin: string): Promise<string[]> {
  const text = `apiVersion: arcflux/v1
repository: { url: "file://${repository}", branch: main }
platform: kubernetes
sources: { infra: { kind: GitRepository, url: self } }
sets: { infrastructure: { path: ./infrastructure, source: infra } }
stages: { prod: { branch: main, pins: { infra: ${pin} } } }
groups: { all: { match: {}, sets: { infrastructure: {} } } }
clusters:
  store-1: { stage: prod, kubeconfig: { context: a } }
  store-2: { stage: prod, kubeconfig: { context: b } }
`;
  const { fleet, findings, finding } = loadFleet(text, "fleet.yaml");
  if (fleet === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  const checked = await checkFleet(fleet, {
    finding,
    context: { env: workshop.env, cacheRoot: workshop.cache },
  });
  return checked.findings
    .filter(({ message }) => message.includes("would get nothing"))
    .map(({ line, severity, message }) => `${line} ${severity} ${message}`);
}

describe("a pin of the fleet's own repository", () => {
  it.each(["{ tag: v1.4.0 }", "{ semver: 1.x }", "{ semver: '>=1.0.0, <2.0.0' }", "{ branch: next }"])(
    "to %s, which is there, is quiet",
    async (pin) => expect(await said(pin)).toEqual([]),
  );

  it.each([
    ["{ tag: v1.5.0 }", "no tag v1.5.0", "v1.4.0"],
    ["{ semver: 2.x }", "no tag within 2.x", "v1.4.0"],
    ["{ branch: nxt }", "no branch nxt", "next, main"],
  ])(
    "to %s is an error at its line, once for all clusters, naming what is there",
    async (pin, what, there) => {
      expect(await said(pin)).toEqual([
        expect.stringMatching(
          new RegExp(`^6 error .* has ${what}, so store-1, store-2 .*There: ${there}\\.`),
        ),
      ]);
    },
  );
});
