import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Tool {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly recipe: string;
  readonly package: string;
  readonly module?: string;
  readonly moduleVersion?: string;
}

const root = join(import.meta.dirname, "..", "..");
const read = (...path: string[]): string => readFileSync(join(root, ...path), "utf8");
const { tools } = JSON.parse(read("lab", "tools", "tools.json")) as { tools: Tool[] };

test("the provider says the version of the SDK, or the engine would not take it", () => {
  const sdk = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
  const provider = tools.find(({ name }) => name === "pulumi-resource-kubernetes");
  expect(provider?.version).toBe(sdk.dependencies["@pulumi/kubernetes"]);
});

test.each(tools)("$name $version is what its recipe builds, with checksums", (tool) => {
  const goMod = read("lab", "tools", tool.recipe, "go.mod");
  const goSum = read("lab", "tools", tool.recipe, "go.sum");
  // The package lies in the module, or is the recipe's own main.
  const module = [...goMod.matchAll(/^(?:require|\t)\s*(\S+) v(\S+)/gm)].find(([, path = ""]) =>
    `${tool.module ?? tool.package}/`.startsWith(`${path}/`),
  );
  expect(module?.[2]).toBe(tool.moduleVersion ?? tool.version);
  expect(goSum).toContain(`${module?.[1]} v${module?.[2]} h1:`);
  expect(
    existsSync(join(root, "lab", "tools", tool.recipe, tool.package === "." ? "main.go" : "tools.go")),
  ).toBe(true);
});
