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
  ])("accepts what the loader accepts: %#", (text) => {
    expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true);
  });

  it.each([
    "apiVersion: arcflux/v2",
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

  it("describes every key, for completion and hover", () => {
    const bare: string[] = [];
    const walk = (node: unknown, path: string) => {
      if (typeof node !== "object" || node === null) return;
      const { properties, additionalProperties, anyOf } = node as Record<string, unknown>;
      for (const [key, value] of Object.entries((properties as object) ?? {})) {
        if (typeof (value as { description?: unknown }).description !== "string") bare.push(`${path}.${key}`);
        walk(value, `${path}.${key}`);
      }
      walk(additionalProperties, `${path}.*`);
      for (const part of (anyOf as unknown[]) ?? []) walk(part, path);
    };
    walk(schema, "");
    expect(bare).toEqual([]);
  });
});
