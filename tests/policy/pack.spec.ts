import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  configurationType,
  gitFilesType,
  goodBootstrap,
  goodConfiguration,
  goodFiles,
  kustomization,
  unknown,
} from "./fixtures.ts";
import { Level, startPack, urn, type PackHost } from "./packHost.ts";

const files = { type: gitFilesType, name: "files", props: goodFiles() };
const configuration = {
  type: configurationType,
  name: "edge-0",
  props: goodConfiguration(),
  dependsOn: ["files"],
};
const withInterval = (interval: string) => ({
  ...files,
  props: {
    ...goodFiles(),
    files: { "flux/set-01.yaml": kustomization(`  interval: ${interval}\n  timeout: 5s\n  wait: true\n`) },
  },
});

describe("the policy pack in Pulumi's host", () => {
  let pack: PackHost;
  beforeAll(async () => {
    pack = await startPack();
  });
  afterAll(() => pack.stop());

  test("offers every check, nearly all as mandatory", async () => {
    const { name, version, policiesList } = await pack.info();
    expect({ name, version }).toEqual({ name: "arcflux", version: "0.1.0" });
    const levels = Object.groupBy(policiesList, ({ enforcementlevel }) => String(enforcementlevel));
    const at = (level: number) => (levels[String(level)] ?? []).map((policy) => policy.name).sort();
    // What is a matter of an organisation's own rules is off until it has a level.
    expect(at(Level.DISABLED)).toEqual(["agents-stay", "deletion-policy", "supported-flux"]);
    expect(at(Level.ADVISORY)).toEqual(["exemptions-shown", "health-with-timeout"]);
    expect(at(Level.MANDATORY)).toHaveLength(35);
    for (const { description } of policiesList)
      expect(description).toMatch(/^[A-Z][^.]*(?:\.[a-z][^.]*)*\.$/);
  });

  test("passes what the program registers", async () => {
    expect(await pack.analyze(files)).toEqual([]);
    expect(await pack.analyze(configuration)).toEqual([]);
    expect(await pack.analyzeStack([files, configuration])).toEqual([]);
  });

  test("stops a short interval, at the level and the minimum that are configured", async () => {
    expect(await pack.analyze(withInterval("30s"))).toEqual([
      expect.objectContaining({ policyname: "minimum-interval", enforcementlevel: Level.MANDATORY }),
    ]);
    await pack.configure("minimum-interval", Level.ADVISORY, { minimumSeconds: 20 });
    expect(await pack.analyze(withInterval("30s"))).toEqual([]);
    expect(await pack.analyze(withInterval("10s"))).toEqual([
      expect.objectContaining({ policyname: "minimum-interval", enforcementlevel: Level.ADVISORY }),
    ]);
    await pack.configure("minimum-interval", Level.DISABLED);
    expect(await pack.analyze(withInterval("10s"))).toEqual([]);
  });

  test("refuses a setting that a check does not have, once, and still checks", async () => {
    await pack.configure("minimum-interval", Level.MANDATORY, { minimumSecond: 600 });
    expect(await pack.analyze({ ...configuration, dependsOn: [] })).toEqual([]);
    const first = await pack.analyze(files);
    expect(first).toEqual([
      expect.objectContaining({ policyname: "minimum-interval", enforcementlevel: Level.MANDATORY }),
    ]);
    expect(first[0]?.message).toContain(
      "minimum-interval has no setting 'minimumSecond'; it has minimumSeconds, exempt and enforcementLevel",
    );
    expect(await pack.analyze(withInterval("30s"))).toEqual([
      expect.objectContaining({ message: expect.stringContaining("at least 60 s") as string }),
    ]);
    await pack.configure("only-bootstrap", Level.ADVISORY, { names: ["x"] });
    expect(await pack.analyze(files)).toEqual([
      expect.objectContaining({
        enforcementlevel: Level.ADVISORY,
        message: expect.stringContaining("it has scope, exempt and enforcementLevel") as string,
      }),
    ]);
    await pack.configure("minimum-interval", Level.MANDATORY);
    expect(await pack.analyze(files)).toEqual([]);
  });

  test("joins inputs seen before with the dependencies of the stack", async () => {
    const { kustomizations } = goodConfiguration();
    const elsewhere = {
      bootstrap: { ...(kustomizations["bootstrap"] as object), path: "./clusters/edge-0" },
    };
    const wrong = { ...configuration, props: { ...configuration.props, kustomizations: elsewhere } };
    await pack.analyze(files);
    expect(await pack.analyze(wrong)).toEqual([]);
    // Outputs without the content of files, as the provider gives them.
    const written = { ...files, props: { commit: "0".repeat(40) } };
    expect(await pack.analyzeStack([written, wrong])).toEqual([
      expect.objectContaining({
        policyname: "bootstrap-follows-committed-folder",
        enforcementlevel: Level.MANDATORY,
        urn: urn("edge-0"),
      }),
    ]);
  });

  test("writes what is missing beside what is unknown, and leaves secrets secret", async () => {
    const secret = (value: unknown) => ({
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value,
    });
    const { prune, force, ...given } = goodBootstrap();
    const props = {
      ...goodConfiguration(),
      clusterName: unknown,
      gitRepository: secret({ url: unknown }),
      kustomizations: { bootstrap: given },
      configurationProtectedSettings: { httpsKey: "swordfish" },
    };
    const remediate = async (policy: string) => {
      await pack.configure(policy, Level.REMEDIATE);
      return [
        await pack.remediate({ ...configuration, props }),
        await pack.remediate({ ...configuration, type: "other", props }),
      ];
    };
    const kustomizations = { bootstrap: { ...given, prune, force } };
    expect(await remediate("explicit-bootstrap-fields")).toEqual([{ ...props, kustomizations }, undefined]);
    const protectedOnes = { httpsKey: secret("swordfish") };
    expect(await remediate("protected-settings")).toEqual([
      { ...props, configurationProtectedSettings: protectedOnes },
      undefined,
    ]);
    await pack.configure("protected-settings", Level.MANDATORY);
  });

  test("says what it could not check in a preview, as advice", async () => {
    const props = { ...goodFiles(), files: { "flux/a.yaml": unknown } };
    const diagnostics = await pack.analyze({ ...files, props });
    // A dozen policies read the file, and one says so.
    expect(diagnostics).toEqual([
      expect.objectContaining({
        enforcementlevel: Level.ADVISORY,
        message: expect.stringMatching(
          /during preview: file 'flux\/a\.yaml': .*\. The update judges it\.$/,
        ) as string,
      }),
    ]);
  });
});
