import fc from "fast-check";

/** Text, much of it such as some YAML reader takes for something else. */
export const anyText = fc.oneof(
  fc.string({ minLength: 1 }).filter((value) => value.isWellFormed()),
  fc.constantFrom("on", "0042", "~", "1e3", "a: b", "=", "<<", "12:30", "a\n  b\n\tc \n", "2024-01-01"),
);
const duration = fc.constantFrom("60s", "10m0s", "1h30m", "1.5h", "720m0s");
const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
const reference = fc.record({ name });
const target = fc.record(
  { kind: fc.constant("Deployment"), name, namespace: name },
  { requiredKeys: ["kind"] },
);
const key = fc.stringMatching(/^[_a-zA-Z][_a-zA-Z0-9]{0,6}$/).filter((one) => one !== "__proto__");
/** The spec of a Kustomization that Flux takes, in no order. */
export const anySpec = fc.record(
  {
    interval: duration,
    prune: fc.boolean(),
    sourceRef: fc.record(
      {
        kind: fc.constantFrom("GitRepository", "OCIRepository", "Bucket", "ExternalArtifact"),
        name,
        namespace: fc.constantFrom("flux-system", "shared"),
      },
      { requiredKeys: ["kind", "name"] },
    ),
    path: fc.constantFrom("./a", "b/c/", "/d", "./.x//y", "", "../e"),
    retryInterval: duration,
    timeout: duration,
    wait: fc.boolean(),
    force: fc.boolean(),
    deletionPolicy: fc.constantFrom("MirrorPrune", "Orphan"),
    targetNamespace: name,
    serviceAccountName: name,
    namePrefix: fc.constant("a-"),
    components: fc.array(fc.constantFrom("../a", "b"), { maxLength: 2 }),
    patches: fc.array(fc.record({ patch: anyText, target }, { requiredKeys: ["patch"] }), { maxLength: 2 }),
    images: fc.array(fc.record({ name, newTag: anyText }, { requiredKeys: ["name"] }), { maxLength: 2 }),
    postBuild: fc.record(
      {
        substitute: fc.dictionary(key, anyText, { maxKeys: 3, noNullPrototype: true }),
        substituteFrom: fc.array(
          fc.record(
            { kind: fc.constantFrom("ConfigMap", "Secret"), name, optional: fc.boolean() },
            { requiredKeys: ["kind", "name"] },
          ),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    decryption: fc.record({ provider: fc.constant("sops"), secretRef: reference }),
    kubeConfig: fc.record({ secretRef: reference }),
    commonMetadata: fc.record({
      labels: fc.dictionary(name, fc.constantFrom("on", "1", "a"), { maxKeys: 2, noNullPrototype: true }),
    }),
    healthChecks: fc.array(
      fc.record({
        apiVersion: fc.constant("apps/v1"),
        kind: fc.constantFrom("Deployment", "StatefulSet", "Widget"),
        name,
        namespace: name,
      }),
      {
        maxLength: 2,
      },
    ),
  },
  { requiredKeys: ["interval", "prune", "sourceRef"], noNullPrototype: true },
);
