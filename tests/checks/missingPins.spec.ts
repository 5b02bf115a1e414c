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
async function said(pin: string, tags: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { findings } = await checked(pin, tags);
  return findings
    .filter(({ message }) => /would get nothing|at the last update/.test(message))
    .map(({ line, severity, message }) => `${line} ${severity} ${message}`);
}

function checked(pin: string, tags: Readonly<Record<string, string>>) {
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
  return checkFleet(fleet, { finding, tags, context: { env: workshop.env, cacheRoot: workshop.cache } });
}

describe("a pin of the fleet's own repository", () => {
  it.each(["{ tag: v1.4.0 }", "{ semver: 1.x }", "{ semver: '>=1.0.0, <2.0.0' }", "{ branch: next }"])(
    "to %s, which is there, is quiet",
    async (pin) => expect(await said(pin)).toEqual([]),
  );

  it("to a tag that moved since the last update is an error, whatever kind of tag it is", async () => {
    const first = workshop.git(repository, "rev-parse", "main");
    const next = workshop.commit(repository, { "infrastructure/a.yaml": "a: 1\n" });
    for (const annotated of [[], ["-a", "-m", "Release"]]) {
      const tag = (...more: string[]) =>
        workshop.git(
          repository,
          "-c",
          "user.name=Pat",
          "-c",
          "user.email=p@example.com",
          "tag",
          ...annotated,
          ...more,
        );
      tag("-f", "v9.0.0", first);
      const { tags } = await checked("{ tag: v9.0.0 }", {});
      expect(tags).toEqual({ "v9.0.0": first });
      expect(await said("{ tag: v9.0.0 }", tags)).toEqual([]);
      tag("-f", "v9.0.0", next);
      expect(await said("{ tag: v9.0.0 }", tags)).toEqual([
        expect.stringMatching(
          `^6 error tag v9.0.0 of .* was ${first.slice(0, 12)} at the last update and is ${next.slice(0, 12)} now, so store-1, store-2 may run either`,
        ),
      ]);
      // Another pin is another question.
      expect(await said(`{ commit: ${next} }`, tags)).toEqual([]);
    }
    workshop.git(repository, "tag", "-d", "v9.0.0");
  });

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
