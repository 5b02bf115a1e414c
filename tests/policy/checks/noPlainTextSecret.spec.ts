import { describe, expect, test } from "vitest";

import { noPlainTextSecret } from "../../../policy/checks/noPlainTextSecret.ts";
import { checkResource, gitFilesType, goodFiles, kustomization, unknown } from "../fixtures.ts";

const check = (files: unknown, config = {}) =>
  checkResource(noPlainTextSecret, gitFilesType, { ...goodFiles(), files }, config);
const withVariables = (variables: Record<string, unknown>) => ({
  "flux/set-01.yaml": kustomization(
    `  interval: 10m\n  postBuild:\n    substitute: ${JSON.stringify(variables)}\n`,
  ),
});

describe("no-plain-text-secret", () => {
  test("passes ordinary variables and files without any", async () => {
    expect(await check(withVariables({ site_code: "0042", meta_productive: "true" }))).toEqual({
      violations: [],
    });
    expect(await check(goodFiles().files)).toEqual({ violations: [] });
    expect(await check(undefined)).toEqual({ violations: [] });
  });

  test("names file, object, key and kind, and never the value", async () => {
    const value = `ghp_${"a1B2".repeat(9)}`;
    const { violations } = await check(withVariables({ site_code: "0042", registry: value }));
    expect(violations).toEqual([
      expect.stringContaining(
        "GitFiles 'edge-0': postBuild.substitute.registry of Kustomization 'set-01' in file 'flux/set-01.yaml' holds a GitHub token",
      ),
    ]);
    expect(violations[0]).toContain("postBuild.substituteFrom");
    expect(violations.join()).not.toContain("ghp_");
  });

  test("finds one by its name alone, every one at once", async () => {
    const { violations } = await check(withVariables({ db_password: "swordfish", apiKey: 12345678 }));
    expect(violations).toHaveLength(2);
    expect(violations.join()).not.toMatch(/swordfish|12345678/);
  });

  test("tells a variable that every set carries once, also when a file is unknown", async () => {
    const file = withVariables({ db_password: "swordfish" })["flux/set-01.yaml"];
    const { violations, skipped } = await check({
      "flux/a.yaml": file,
      "flux/b.yaml": unknown,
      "flux/c.yaml": file,
    });
    expect(violations).toEqual([
      expect.stringContaining(
        "postBuild.substitute.db_password of Kustomization 'set-01' in file 'flux/a.yaml' and in 1 more",
      ),
    ]);
    expect(skipped).toContain("file 'flux/b.yaml'");
  });

  test("tells by its name only a variable of a Flux object", async () => {
    const map =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\nspec: {postBuild: {substitute: {password: x1y2}}}\n";
    expect(await check({ "flux/map.yaml": map })).toEqual({ violations: [] });
  });

  test("lets named variables through", async () => {
    const files = withVariables({ door_token: "blue", other_token: "red" });
    const { violations } = await check(files, { allowedNames: ["door_token"] });
    expect(violations).toEqual([expect.stringContaining("other_token")]);
  });

  test("refuses a file that cannot be read, and skips an unknown one", async () => {
    const { violations, skipped } = await check({ "flux/a.yaml": "a: b: swordfish", "flux/b.yaml": unknown });
    expect(violations).toEqual([expect.stringContaining("cannot be searched for secrets")]);
    expect(violations.join()).not.toContain("swordfish");
    expect(skipped).toContain("file 'flux/b.yaml'");
  });

  test("finds the values of a Secret in patches, be they objects or operations", async () => {
    const patches = [
      { patch: "{ apiVersion: v1, kind: Secret, metadata: { name: till }, stringData: { pin: swordfish } }" },
      { target: { kind: "Secret" }, patch: "[{ op: add, path: /data/pin, value: c3dvcmRmaXNo }]" },
      { target: { kind: "Secret" }, patch: "[{ op: add, path: /stringData, value: { pin: '${pin}' } }]" },
      { target: { kind: "Deployment" }, patch: "[{ op: add, path: /data/pin, value: swordfish }]" },
    ];
    const text = JSON.stringify(patches);
    for (const file of [
      kustomization(`  interval: 10m\n  patches: ${text}\n`),
      `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches: ${text}\n`,
    ]) {
      const { violations } = await check({ "flux/a.yaml": file });
      expect(violations).toEqual([
        expect.stringMatching(
          /patches\.0\.patch, stringData\.pin of .* holds a value of a Secret in plain text/,
        ),
        expect.stringContaining("patches.1.patch, data.pin of "),
      ]);
      expect(violations.join()).not.toMatch(/swordfish|c3dvcmRmaXNo/);
    }
  });

  test("finds one in any text of any object, and in what Azure is told, but not in its protected settings", async () => {
    const token = `hvs.${"a1B2".repeat(7)}`;
    const patch = JSON.stringify([{ op: "add", path: "/data/token", value: token }]);
    const files = { "flux/a.yaml": kustomization(`  interval: 10m\n  patches:\n    - patch: '${patch}'\n`) };
    const { violations } = await check(files);
    expect(violations).toEqual([expect.stringContaining("spec.patches.0.patch of Kustomization 'set-01'")]);
    expect(violations.join()).not.toContain(token);

    const configuration = "azure-native:kubernetesconfiguration:FluxConfiguration";
    const azure = (props: object) => checkResource(noPlainTextSecret, configuration, { ...props }, {});
    expect((await azure({ gitRepository: { url: `https://git.example.com/${token}` } })).violations).toEqual([
      expect.stringContaining("gitRepository.url of"),
    ]);
    expect(await azure({ configurationProtectedSettings: { httpsKey: token } })).toEqual({ violations: [] });
  });
});
