import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { fleetText } from "./fixture.ts";

const root = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(root, "fleet.schema.json"), "utf8")) as object;
const accepts = new Ajv2020({ strict: false }).compile(schema);

describe("fleet.schema.json", () => {
  it("is what the loader's schema says", () => {
    execFileSync(process.execPath, [join(root, "scripts/generate-schema.ts"), "--check"]);
  });

  it.each([
    readFileSync(join(root, "fleet.yaml"), "utf8"),
    fleetText({
      cluster: "variables: { a: 1, b: true, c: x }\nsets: { a: null, b: {} }\nkubeconfig: { context: x }",
    }),
    fleetText({ top: "flux: { version: 2.9 }\nbootstrap: { interval: 1h }\nlayout: { flux: . }" }),
    fleetText({
      top: `sources: { a: { kind: OCIRepository, url: oci://h/x, ref: { tag: 1.1 } } }
windows: { w: { open: 0 1 * * *, close: 0 2 * * * } }
alerts: { a: { provider: { type: slack } } }
stages: { dev: { branch: dev, pins: { a: { tag: 1.0 } } } }
groups: { g: { match: { kind: store }, flux: { version: 2.10 }, apps: { web: null } } }`,
      cluster: `stage: dev
attributes: { slot: 1 }
apps: { web: { target: { kind: A, name: b }, patch: { x: [1] } } }
sets: { a: { dependsOn: [b, { name: c, external: true }], suspend: { reason: x }, timeout: null, window: w }, b: { suspend: false } }`,
    }),
    "apiVersion: arcflux/v1\nrepository: { url: https://h/x }\ninclude: [stores/*.yaml]\n",
    "clusters: { a: {} }\nsets: {}\n",
  ])("accepts what the loader accepts: %#", (text) => {
    expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true);
  });

  it.each([
    "apiVersion: arcflux/v2",
    "clusters: { a: {} }\narc: {}\n",
    "apiVersion: arcflux/v1\nrepository: { url: https://h/x }\n",
    fleetText({ cluster: "sets: { pos: { suspend: true } }" }),
    fleetText({ top: "sources: { a: { kind: Bucket, url: self } }" }),
    fleetText({ top: "sources: { a: { kind: GitRepository, url: self, bucketName: x } }" }),
    fleetText({ cluster: "intervall: 1" }),
    fleetText({ cluster: "sets: { Pos: {} }" }),
    fleetText({ cluster: "sets: { pos: { interval: 10 } }" }),
    fleetText({ cluster: "sets: { pos: { interval: 1d } }" }),
    fleetText({ cluster: "variables: { a-b: c }" }),
    fleetText({ cluster: "kubeconfig: { context: a, config: b }" }),
    fleetText({ top: "flux: { version: '1.0' }" }),
  ])("refuses what the loader refuses: %#", (text) => {
    expect(accepts(parse(text))).toBe(false);
  });

  it("says in words what a text has to be wherever it has a pattern", () => {
    const mute: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      const { pattern, patternErrorMessage } = node as Record<string, unknown>;
      if (typeof pattern === "string" && typeof patternErrorMessage !== "string") mute.push(path);
      for (const [key, value] of Object.entries(node)) walk(value, `${path}.${key}`);
    };
    walk(schema, "");
    expect(mute).toEqual([]);
  });

  it("describes every key, for completion and hover", () => {
    const bare: string[] = [];
    const walk = (node: unknown, path: string) => {
      if (typeof node !== "object" || node === null) return;
      const { properties, additionalProperties, anyOf, oneOf, items, $defs } = node as Record<
        string,
        unknown
      >;
      for (const [key, value] of Object.entries((properties as object) ?? {})) {
        if (typeof (value as { description?: unknown }).description !== "string") bare.push(`${path}.${key}`);
        walk(value, `${path}.${key}`);
      }
      walk(additionalProperties, `${path}.*`);
      walk(items, `${path}[]`);
      for (const part of [anyOf, oneOf].flatMap((parts) => (parts as unknown[]) ?? [])) walk(part, path);
      for (const [key, value] of Object.entries(($defs as object) ?? {})) walk(value, `#${key}`);
    };
    walk(schema, "");
    expect(bare).toEqual([]);
  });
});
