import { expect, it, test } from "vitest";
import { loadFleet } from "../../fleet/load.ts";

const token = `hvs.${"a1B2".repeat(7)}`;
const head = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
`;

/** Where a secret may stand by mistake, as one line or several of a fleet file below its head. */
const places: readonly (readonly [where: string, text: string, path: string])[] = [
  ["a variable", `clusters: { a: { variables: { x: ${token} } } }`, "clusters.a.variables.x"],
  [
    "a patch of a set",
    `clusters: { a: { sets: { pos: { patches: [{ patch: '[{"op":"add","value":"${token}"}]' }] } } } }`,
    "clusters.a.sets.pos.patches[0].patch",
  ],
  ["an annotation", `clusters: { a: { sets: { pos: { annotations: { x/y: ${token} } } } } }`, "annotations"],
  [
    "an image",
    `clusters: { a: { sets: { pos: { images: [{ name: a, newTag: ${token} }] } } } }`,
    "images[0].newTag",
  ],
  ["a tag of Azure", `arc: { tags: { x: ${token} } }\nclusters: { a: {} }`, "arc.tags.x"],
  [
    "a patch of an app",
    `clusters: { a: { apps: { shop: { target: { kind: HelmRelease, name: shop }, patch: { spec: { values: { key: ${token} } } } } } } }`,
    "values.key",
  ],
  [
    "an alert",
    `alerts: { ops: { provider: { type: generic, address: 'https://x.example.com/${token}' } } }\nclusters: { a: {} }`,
    "alerts.ops.provider.address",
  ],
];

test.each(places)("a secret in %s is an error at its place, and not repeated", (_where, text, path) => {
  const { findings } = loadFleet(`${head}${text}\n`, "fleet.yaml");
  const found = findings.filter(({ message }) => message.includes("a Vault token in plain text"));
  expect(found).toEqual([
    expect.objectContaining({ severity: "error", path: expect.stringContaining(path) as unknown }),
  ]);
  expect(JSON.stringify(findings)).not.toContain(token);
});

it("takes no name of a site for a token", () => {
  const text = `${head}clusters: { a: { variables: { site: globe-production-westeurope-01 } } }\n`;
  expect(loadFleet(text, "fleet.yaml").findings).toEqual([]);
});

test.each([
  ["npm", `//registry.example.com/:_authToken=${"a1B2".repeat(4)}`],
  ["Docker Hub", `dckr_pat_${"a1B2".repeat(6)}`],
  ["Pulumi", `pul-${"0a1b".repeat(10)}`],
])("finds a token of %s", (_name, value) => {
  const text = `${head}clusters: { a: { variables: { x: '${value}' } } }\n`;
  expect(loadFleet(text, "fleet.yaml").findings).toHaveLength(1);
});

it("warns of values of an app that are called secrets, and of no name of a Secret", () => {
  const values =
    "{ db: { password: hunter2, existingSecret: pos-db, user: pos }, hosts: [{ token: '${pos_token}' }] }";
  const { findings } = loadFleet(
    `${head}clusters: { a: { apps: { pos: { values: ${values} } } } }\n`,
    "fleet.yaml",
  );
  expect(findings).toEqual([
    expect.objectContaining({
      severity: "warning",
      path: "clusters.a.apps.pos.values.db.password",
      message: expect.stringContaining("is called a secret and stands here in plain text") as unknown,
    }),
  ]);
  expect(JSON.stringify(findings)).not.toContain("hunter2");
});
