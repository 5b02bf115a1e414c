import { fluxMinors, type FluxMinor } from "../../../values/fluxVersions.ts";
import { describe, expect, it } from "vitest";
import { isFluxMinor, validateSpec } from "../../../flux/crd/validate.ts";

const least = { interval: "10m", prune: true, sourceRef: { kind: "GitRepository", name: "edge-config" } };

/** `path: message` of each fault of a Kustomization that has these fields besides the required ones. */
function faults(fields: object, minor: FluxMinor = "2.9"): string[] {
  return validateSpec("Kustomization", minor, { ...least, ...fields }).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
}

describe("validateSpec of a Kustomization", () => {
  it.each(fluxMinors)("takes the smallest spec in Flux %s", (minor) => {
    expect(faults({}, minor)).toEqual([]);
  });

  it("takes every field that Flux 2.9 has", () => {
    const ref = { name: "a" };
    const target = { group: "apps", version: "v1", kind: "Deployment", name: "a", namespace: "b" };
    const selectors = { labelSelector: "a=b", annotationSelector: "c=d" };
    const all = {
      retryInterval: "2m",
      timeout: "5m",
      path: "./apps",
      force: true,
      suspend: true,
      wait: true,
      dependsOn: [{ name: "a", namespace: "b", readyExpr: "true" }],
      healthChecks: [{ apiVersion: "apps/v1", kind: "Deployment", name: "a", namespace: "b" }],
      healthCheckExprs: [
        { apiVersion: "v1", kind: "A", current: "true", inProgress: "false", failed: "false" },
      ],
      patches: [{ patch: "a: |\n\ttext  \n", target: { ...target, ...selectors } }],
      images: [{ name: "a", newName: "b", newTag: "c", digest: "sha256:d" }],
      components: ["../a"],
      ignoreMissingComponents: true,
      namePrefix: "a-",
      nameSuffix: "-b",
      targetNamespace: "a",
      serviceAccountName: "a",
      commonMetadata: { labels: { a: "b" }, annotations: { "example.com/a": "" } },
      postBuild: {
        substitute: { a: "", constructor: "b" },
        substituteFrom: [{ kind: "ConfigMap", name: "a", optional: true }],
        substituteStrategy: "Always",
      },
      decryption: { provider: "sops", secretRef: ref, serviceAccountName: "a" },
      kubeConfig: { secretRef: { name: "a", key: "b" } },
      deletionPolicy: "WaitForTermination",
      buildMetadata: ["originAnnotations"],
      ignore: [{ paths: ["/spec/replicas"], target }],
    };
    expect(faults(all)).toEqual([]);
  });

  it("gives all faults at once, each with its path", () => {
    const spec = { interval: 10, sourceRef: { kind: "HelmRepository" }, dependsOn: ["infra"], wait: "yes" };
    expect(validateSpec("Kustomization", "2.7", spec).map(({ path }) => path)).toEqual([
      ["interval"],
      ["sourceRef", "kind"],
      ["sourceRef", "name"],
      ["dependsOn", 0],
      ["wait"],
      ["prune"],
    ]);
  });

  it.each(["1h30m0s", "90s", "1.5h", "500ms", "720m0s", "60m0s", "1h"])(
    "takes the duration %s",
    (interval) => {
      expect(faults({ interval })).toEqual([]);
    },
  );

  it.each(["5", "1d", "PT5M", "-5m", "1h 30m", "10M", "", "100us", "5m\n", ".5h", "1.h"])(
    "refuses the duration %j",
    (interval) => {
      expect(faults({ interval })).toEqual([
        `interval: ${JSON.stringify(interval)} is not allowed; write a duration of numbers with units ms, s, m or h, such as 10m or 1h30m`,
      ]);
    },
  );

  it("says what a value was read as", () => {
    expect(faults({ timeout: 5, path: true, wait: "true", force: null, namePrefix: "" })).toEqual([
      "timeout: 5 is a number; write a duration of numbers with units ms, s, m or h, such as 10m or 1h30m",
      "path: true is true or false without quotes; write text in quotes",
      'wait: "true" is text; write true or false',
      "force: has no value; write true or false",
      "namePrefix: is empty; write a text, or leave the field out",
    ]);
  });

  it("names the nearest field of a misspelt one", () => {
    expect(faults({ decription: { provider: "sops" } })[0]).toMatch(
      /^decription: unknown key; the nearest known key is decryption; allowed here: buildMetadata, /,
    );
    expect(faults({ sourceRef: { ...least.sourceRef, namespce: "a" } })).toEqual([
      "sourceRef.namespce: unknown key; the nearest known key is namespace; allowed here: apiVersion, kind, name, namespace",
    ]);
  });

  it("does not take what every object inherits for a field", () => {
    const stray = JSON.parse('{"__proto__": {"path": "a"}, "constructor": "b"}') as object;
    const paths = validateSpec("Kustomization", "2.9", { ...least, sourceRef: stray }).map(
      ({ path }) => path[1],
    );
    expect(paths).toEqual(["__proto__", "constructor", "kind", "name"]);
  });

  it("lists the choices", () => {
    expect(faults({ deletionPolicy: "Keep" })).toEqual([
      'deletionPolicy: "Keep" is not allowed; write MirrorPrune, Delete, WaitForTermination or Orphan',
    ]);
  });

  it("counts characters as Kubernetes does", () => {
    const face = "\u{1F600}";
    expect(faults({ targetNamespace: face.repeat(63) })).toEqual([]);
    expect(faults({ targetNamespace: face.repeat(64) })).toEqual([
      "targetNamespace: has 64 characters; write at most 63",
    ]);
    expect(faults({ namePrefix: "a".repeat(200), nameSuffix: "a".repeat(201) })).toEqual([
      "nameSuffix: has 201 characters; write at most 200",
    ]);
  });

  it("asks for one of two references, once", () => {
    const wanted = ["kubeConfig: needs either secretRef or configMapRef: write one of the two, and not both"];
    const both = { secretRef: { name: "a" }, configMapRef: { name: "b" } };
    for (const minor of fluxMinors) {
      expect(faults({ kubeConfig: {} }, minor)).toEqual(wanted);
      expect(faults({ kubeConfig: both }, minor)).toEqual(wanted);
      expect(faults({ kubeConfig: { configMapRef: { name: "b" } } }, minor)).toEqual([]);
    }
  });

  it("takes undefined for absent", () => {
    expect(faults({ timeout: undefined, decription: undefined })).toEqual([]);
    expect(faults({ prune: undefined })).toEqual(["prune: is missing; it is required: true or false"]);
  });

  it("never repeats what may be a secret", () => {
    const spec = {
      ...least,
      postBuild: { substitute: { pin: 471147 } },
      kubeConfig: { secretRef: "s3cret" },
    };
    expect(JSON.stringify(validateSpec("Kustomization", "2.9", spec))).not.toMatch(/471147|s3cret/);
    const source = { interval: "1m", url: "ftp://robot:s3cret@git.example.com/x" };
    expect(validateSpec("GitRepository", "2.9", source)[0]?.message).toMatch(
      /^"ftp:\/\/\.\.\.@git.example.com\/x" is/,
    );
  });

  it.each([null, "text", [], 5])("refuses %j as a spec", (spec) => {
    expect(validateSpec("Kustomization", "2.9", spec).map(({ path }) => path)).toEqual([[]]);
  });
});

describe("validateSpec of sources", () => {
  it("takes hours in an interval but not in a timeout", () => {
    const source = { url: "https://git.example.com/x", interval: "1h", timeout: "1h" };
    expect(validateSpec("GitRepository", "2.7", source)).toEqual([
      {
        path: ["timeout"],
        message:
          '"1h" is not allowed; write a duration of numbers with units ms, s or m (h is not taken here), such as 60s or 5m',
      },
    ]);
  });

  it.each(fluxMinors)("asks for url and interval of an OCIRepository in Flux %s", (minor) => {
    // Up to 2.9 the spec says so, since 2.10 a rule about the whole object.
    expect(validateSpec("OCIRepository", minor, {}).map(({ path }) => path)).toEqual([["interval"], ["url"]]);
  });

  it("checks the rules of a Bucket with its default provider", () => {
    const bucket = { bucketName: "a", endpoint: "s3.example.com", interval: "5m" };
    const sts = { provider: "aws", endpoint: "https://sts.example.com" };
    const places = (fields: object) =>
      validateSpec("Bucket", "2.9", { ...bucket, ...fields }).map(({ path }) => path.join("."));
    expect(places({})).toEqual([]);
    expect(places({ provider: "aws", sts, serviceAccountName: "a" })).toEqual([]);
    expect(places({ sts })).toEqual(["sts.provider"]);
    expect(places({ provider: "gcp", sts })).toEqual(["sts"]);
    expect(places({ provider: "aws", sts: { ...sts, secretRef: { name: "a" } } })).toEqual(["sts.secretRef"]);
    expect(places({ serviceAccountName: "a" })).toEqual(["serviceAccountName"]);
    expect(places({ provider: "aws", serviceAccountName: "a", secretRef: { name: "a" } })).toEqual([
      "serviceAccountName",
    ]);
  });

  it("ties the service account of a GitRepository to its provider", () => {
    const source = { url: "https://git.example.com/x", interval: "1m", serviceAccountName: "a" };
    expect(validateSpec("GitRepository", "2.9", source).map(({ path }) => path)).toEqual([
      ["serviceAccountName"],
    ]);
    expect(validateSpec("GitRepository", "2.9", { ...source, provider: "aws" })).toEqual([]);
  });
});

it("knows its own versions only", () => {
  expect(["2.6", "2.7", "2.10", "2.1", "2.11"].filter(isFluxMinor)).toEqual(["2.7", "2.10"]);
});
