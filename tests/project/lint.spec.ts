import { join } from "node:path";

import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

// One for all: it keeps the parsed projects.
const eslint = new ESLint({ cwd: root });

/** The rules that a text breaks when it stands in place of an existing file. */
async function broken(file: string, text: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
}

describe("the linter", () => {
  it("refuses an Output in a template string", async () => {
    const text = [
      `import * as pulumi from "@pulumi/pulumi";`,
      `export const text = (name: pulumi.Output<string>): string => \`folder \${name}\`;`,
      "",
    ].join("\n");
    expect(await broken("components/publicKey.ts", text)).toContain(
      "@typescript-eslint/restrict-template-expressions",
    );
  });

  it("refuses a promise that nobody waits for", async () => {
    const text = `export function start(run: () => Promise<void>): void {\n  run();\n}\n`;
    expect(await broken("components/publicKey.ts", text)).toContain(
      "@typescript-eslint/no-floating-promises",
    );
  });

  it("refuses the root of azure-native, and takes one of its modules", async () => {
    const from = (name: string): string => `import * as azure from "${name}";\nexport const used = azure;\n`;
    expect(await broken("components/publicKey.ts", from("@pulumi/azure-native"))).toContain(
      "no-restricted-imports",
    );
    expect(await broken("components/publicKey.ts", from("@pulumi/azure-native/kubernetes/index.js"))).toEqual(
      [],
    );
  });

  it("refuses the lab in anything that ships, and Pulumi in the plain folders", async () => {
    const lab = `import { run } from "../lab/run.ts";\nexport const used = run;\n`;
    const pulumi = `import * as pulumi from "@pulumi/pulumi";\nexport const used = pulumi;\n`;
    for (const file of [
      "components/publicKey.ts",
      "git/access/argv.ts",
      "provider/blob.ts",
      "cli/arcflux.ts",
    ]) {
      expect(await broken(file, lab), file).toContain("no-restricted-imports");
    }
    for (const file of ["fleet/model.ts", "flux/yaml.ts", "git/access/argv.ts", "cli/arcflux.ts"]) {
      expect(await broken(file, pulumi), file).toContain("no-restricted-imports");
    }
  });

  it("refuses a way past the door of git/, and what a lower room may not know", async () => {
    const from = (path: string): string => `import { used } from "${path}";\nexport const again = used;\n`;
    expect(await broken("provider/blob.ts", from("../git/index.ts"))).not.toContain("no-restricted-imports");
    for (const [file, path] of [
      ["provider/blob.ts", "../git/access/run.ts"],
      ["fleet/model.ts", "../git/index.ts"],
      ["flux/yaml.ts", "../git/index.ts"],
      ["git/access/argv.ts", "../../fleet/model.ts"],
      ["values/show.ts", "../fleet/model.ts"],
    ] as const) {
      expect(await broken(file, from(path)), file).toContain("no-restricted-imports");
    }
  });
});
