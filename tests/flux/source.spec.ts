import { describe, expect, it } from "vitest";
import type { Source } from "../../fleet/model.ts";
import { renderSource } from "../../flux/source.ts";
import { toYaml } from "../../flux/yaml.ts";
import { clusterOf } from "./fixture.ts";

const cluster = clusterOf();
const source = (kind: Source["kind"], spec: Source["spec"], self = false): Source => ({
  name: "infrastructure",
  kind,
  spec,
  self,
});
const self = source(
  "GitRepository",
  { ref: { tag: "v0.1.0" }, interval: "10m", url: "https://git.example.com/fleet.git" },
  true,
);
const specOf = (...args: Parameters<typeof renderSource>) => renderSource(...args)["spec"];

describe("a source", () => {
  it("is a GitRepository with the fields in the order of Flux's documentation", () => {
    const spec = {
      include: [{ toPath: "b", fromPath: "a", repository: { name: "other" } }],
      suspend: false,
      ignore: "/*\n!/deploy\n",
      verify: { secretRef: { name: "keys" }, mode: "HEAD" },
      ref: { semver: ">=1.0.0 <2.0.0" },
      timeout: "60s",
      interval: "5m",
      provider: "azure",
      url: "https://git.example.com/web.git",
    };
    expect(toYaml(renderSource(source("GitRepository", spec), cluster), "n")).toBe(`# n
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: infrastructure
  namespace: flux-system
spec:
  url: "https://git.example.com/web.git"
  provider: azure
  interval: "5m"
  timeout: "60s"
  ref:
    semver: ">=1.0.0 <2.0.0"
  verify:
    mode: HEAD
    secretRef:
      name: keys
  ignore: "/*\\n!/deploy\\n"
  include:
    - fromPath: a
      repository:
        name: other
      toPath: b
`);
  });

  it("is an OCIRepository or a Bucket, with fields of its own", () => {
    const oci = {
      layerSelector: { operation: "copy", mediaType: "application/x" },
      url: "oci://ghcr.io/a/b",
      interval: "5m",
    };
    expect(Object.keys(specOf(source("OCIRepository", oci), cluster) as object)).toEqual([
      "url",
      "interval",
      "layerSelector",
    ]);
    const bucket = {
      bucketName: "b",
      endpoint: "minio",
      prefix: "x",
      interval: "5m",
      sts: { provider: "aws" },
    };
    expect(renderSource(source("Bucket", bucket), cluster)["kind"]).toBe("Bucket");
    expect(Object.keys(specOf(source("Bucket", bucket), cluster) as object)).toEqual([
      "interval",
      "endpoint",
      "sts",
      "bucketName",
      "prefix",
    ]);
  });

  it("that is a private repository of the fleet names the secret with its credentials", () => {
    expect(specOf(self, cluster, true)).toMatchObject({
      secretRef: { name: "edge-config-protected-parameters" },
    });
    expect(specOf(self, clusterOf({ platform: "kubernetes" }), true)).toMatchObject({
      secretRef: { name: "edge-config-auth" },
    });
    expect(specOf(self, cluster, false)).not.toHaveProperty("secretRef");
  });

  it("keeps credentials of its own, and gets none when it signs in otherwise or is somebody else's", () => {
    const own = { ...self, spec: { ...self.spec, secretRef: { name: "mine" } } };
    expect(specOf(own, cluster, true)).toMatchObject({ secretRef: { name: "mine" } });
    const azure = { ...self, spec: { ...self.spec, provider: "azure" } };
    expect(specOf(azure, cluster, true)).not.toHaveProperty("secretRef");
    expect(specOf({ ...self, self: false }, cluster, true)).not.toHaveProperty("secretRef");
  });

  it("says suspend only when it is", () => {
    const suspended = { ...self, spec: { ...self.spec, suspend: true } };
    expect(specOf(suspended, cluster)).toMatchObject({ suspend: true });
    expect(specOf({ ...self, spec: { ...self.spec, suspend: false } }, cluster)).not.toHaveProperty(
      "suspend",
    );
  });
});
