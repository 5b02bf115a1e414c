import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compactSpec, type Crd } from "../../../scripts/crds/compact.ts";
import { inputs, moduleOf } from "../../../scripts/crds/inputs.ts";
import { readZip } from "../../../scripts/crds/zip.ts";

const root = join(import.meta.dirname, "..", "..", "..");

function crd(spec: object, rules: object[] = []): Crd {
  const openAPIV3Schema = { properties: { spec }, "x-kubernetes-validations": rules } as never;
  const versions = [
    { name: "v1beta2", served: true, schema: { openAPIV3Schema: {} } },
    { name: "v1", served: true, schema: { openAPIV3Schema } },
    { name: "v2", served: false, schema: { openAPIV3Schema } },
  ];
  return { spec: { group: "example.com", names: { kind: "Kind" }, versions } };
}

describe("compactSpec", () => {
  it("keeps the structure, drops the prose and sorts the keys", () => {
    const spec = {
      type: "object",
      description: "Prose.",
      required: ["b", "a"],
      properties: {
        // A field may be called as a keyword is.
        description: { type: "string", description: "Prose.", maxLength: 3 },
        b: { type: "array", items: { type: "string", enum: ["y", "x"] } },
        a: { type: "object", additionalProperties: { type: "string", pattern: "^a$" } },
      },
      "x-kubernetes-validations": [{ message: "Prose.", rule: "has(self.a)" }],
    };
    expect(JSON.stringify(compactSpec(crd(spec), "example.com/v1"))).toBe(
      JSON.stringify({
        properties: {
          a: { additionalProperties: { pattern: "^a$", type: "string" }, type: "object" },
          b: { items: { enum: ["y", "x"], type: "string" }, type: "array" },
          description: { maxLength: 3, type: "string" },
        },
        required: ["a", "b"],
        type: "object",
        "x-kubernetes-validations": [{ rule: "has(self.a)" }],
      }),
    );
  });

  it("turns a rule that asks for a field of the spec into required", () => {
    const rules = [{ rule: "has(self.spec) && has(self.spec.url)" }];
    expect(compactSpec(crd({ type: "object" }, rules), "example.com/v1").required).toEqual(["url"]);
    const other = [{ rule: "self.metadata.name == 'a'" }];
    expect(() => compactSpec(crd({ type: "object" }, other), "example.com/v1")).toThrow("self.metadata.name");
  });

  it.each([
    [
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      "x-kubernetes-preserve-unknown-fields",
    ],
    [{ type: "object", properties: { a: { type: "integer" } } }, "Kind.spec.a: type integer"],
    [{ type: "object", "x-kubernetes-validations": [{ rule: "size(self.a) > 1" }] }, "size(self.a) > 1"],
    [{ type: "object", additionalProperties: true }, "additionalProperties"],
  ])("refuses %j rather than leave something out", (spec, named) => {
    expect(() => compactSpec(crd(spec), "example.com/v1")).toThrow(named);
  });

  it.each(["example.com/v2", "example.com/v3"])("refuses %s, which is not served", (version) => {
    expect(() => compactSpec(crd({ type: "object" }), version)).toThrow(
      `no version ${version} that is served`,
    );
  });
});

describe("generate.ts --check", () => {
  it("says that nothing was checked where Go is missing, and fails nothing", () => {
    const script = join(root, "scripts", "crds", "generate.ts");
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8",
      env: { ...process.env, PATH: join(root, "docs") },
    });
    expect(stderr).toContain("flux/crd was not checked: Go is not installed");
    expect(status).toBe(0);
  });

  it("has the inputs that sources.json records", () => {
    const text = readFileSync(join(root, "flux", "crd", "sources.json"), "utf8");
    const recorded = JSON.parse(text) as {
      inputs: { flux: string; module: string; version: string; sum: string }[];
    };
    expect(recorded.inputs.map(({ flux, module, version }) => [flux, module, version])).toEqual(
      inputs.map((input) => [input.flux, moduleOf(input), input.version]),
    );
    for (const { sum } of recorded.inputs) expect(sum).toMatch(/^h1:[\w+/]{43}=$/);
  });
});

describe("readZip", () => {
  it("reads stored and deflated files", () => {
    const files = readZip(zip([entry("a/b.yaml", "text", 0), entry("c", "x".repeat(500), 8)]));
    expect([...files].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ["a/b.yaml", "text"],
      ["c", "x".repeat(500)],
    ]);
  });

  it("says when a file is no zip", () => {
    expect(() => readZip(Buffer.from("not a zip"))).toThrow("not a zip file");
  });
});

interface Entry {
  readonly name: Buffer;
  readonly method: number;
  readonly bytes: Buffer;
}

function entry(name: string, text: string, method: number): Entry {
  const bytes = Buffer.from(text);
  return { name: Buffer.from(name), method, bytes: method === 8 ? deflateRawSync(bytes) : bytes };
}

/** A zip as the format's description lays it out; sizes in the local headers are 0, as Go writes them. */
function zip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, method, bytes } of entries) {
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04", "latin1");
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.write("PK\x01\x02", "latin1");
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(bytes.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    directory.push(central, name);
    parts.push(local, name, bytes);
    at += 30 + name.length + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
