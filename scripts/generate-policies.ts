import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import type { PolicyConfigSchema } from "@pulumi/policy";
import { type Policy, policyGroups } from "../policy/policies.ts";

/*
 * Writes the tables of docs/guide/policies.md out of the policies themselves, between the marks that stand there. With
 * --check nothing is written, and the exit code is 1 when the page is not up to date.
 */
const page = join(import.meta.dirname, "../docs/guide/policies.md");

const titles = {
  azure: "Azure",
  files: "Flux files",
  fleet: "The fleet",
} as const satisfies Record<keyof typeof policyGroups, string>;

function tables(): string {
  return Object.entries(policyGroups)
    .map(([group, policies]) => `### ${titles[group as keyof typeof titles]}\n\n${table(policies)}`)
    .join("\n\n");
}

function table(policies: readonly Policy[]): string {
  const rows = policies.map(({ name, description, why, enforcementLevel = "mandatory", configSchema }) => {
    const level = enforcementLevel === "mandatory" ? "" : ` Level: \`${enforcementLevel}\`.`;
    return `| \`${name}\` | ${description}${level} | ${why} | ${settingsOf(configSchema)} |`;
  });
  return ["| policy | what must hold | why | settings |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** `minimumSeconds` (60); with what it is where the name does not say it. */
function settingsOf(schema: PolicyConfigSchema | undefined): string {
  return Object.entries(schema?.properties ?? {})
    .map(([name, { default: value, description }]) => {
      const isNone = value === undefined || JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}";
      const shown = Array.isArray(value) ? (value as string[]).join(", ") : JSON.stringify(value);
      return `\`${name}\`${isNone ? "" : ` (${shown})`}${description === undefined ? "" : `: ${description}`}`;
    })
    .join(" ");
}

const marks = ["<!-- Made by scripts/generate-policies.ts from policy/: begin -->", "<!-- end -->"] as const;

const text = await readFile(page, "utf8");
const [before, rest = ""] = text.split(marks[0]);
const after = rest.slice(rest.indexOf(marks[1]) + marks[1].length);
const wanted = await format(`${before}${marks[0]}\n\n${tables()}\n\n${marks[1]}${after}`, {
  ...(await resolveConfig(page)),
  filepath: page,
});
if (!process.argv.includes("--check")) await writeFile(page, wanted);
else if (text.replaceAll("\r\n", "\n") !== wanted) {
  console.error("docs/guide/policies.md is not what policy/ says; run: node scripts/generate-policies.ts");
  process.exitCode = 1;
}
