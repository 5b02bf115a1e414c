import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { commandFaults } from "../support/commandLines.ts";

/* Pipelines of the three hosts, held against what docs/guide/ci.md promises; the script is in pipelines.spec.ts. */

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/guide/ci.md"), "utf8");

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface GitlabJob {
  readonly stage: string;
  readonly extends: string;
  readonly needs: readonly string[];
  readonly script: readonly string[];
  readonly trigger: unknown;
  readonly rules: readonly unknown[];
}

const keys = {
  workflow: ["name", "on", "permissions", "concurrency", "env", "defaults", "jobs"],
  job: [
    "name",
    "if",
    "needs",
    "runs-on",
    "timeout-minutes",
    "environment",
    "permissions",
    "outputs",
    "env",
    "steps",
  ],
  step: ["id", "name", "if", "uses", "run", "with", "env", "working-directory", "continue-on-error"],
};

/** What a job may write beside its own identity for Azure; all else is read. */
const mayWrite: Readonly<Record<string, readonly string[]>> = {
  "arcflux-update.yml update": ["contents", "id-token"],
  "arcflux-promote.yml promote": ["contents", "id-token"],
  "arcflux-pull-request.yml review": ["id-token", "pull-requests"],
  "arcflux-drift.yml drift": ["id-token"],
};

/** Everything that is wrong with a workflow, a line each. */
function faultsOf(name: string, text: string): string[] {
  const workflow = parse(text) as Workflow;
  const faults = Object.keys(workflow).flatMap((key) =>
    keys.workflow.includes(key) ? [] : [`unknown key ${key}`],
  );
  for (const [id, job] of Object.entries(workflow.jobs)) {
    const fault = (message: string): void => void faults.push(`${id}: ${message}`);
    for (const key of Object.keys(job)) if (!keys.job.includes(key)) fault(`unknown key ${key}`);
    if (job["timeout-minutes"] === undefined) fault("may run for six hours");
    const permissions = job.permissions ?? workflow.permissions;
    if (permissions === undefined || typeof permissions === "string")
      fault("has the permissions of the repository");
    const writes = Object.entries(permissions ?? {}).flatMap(([key, may]) => (may === "write" ? [key] : []));
    const allowed = mayWrite[`${name} ${id}`] ?? [];
    for (const key of writes) if (!allowed.includes(key)) fault(`may write ${key}`);
    const needs = [job.needs ?? []].flat();
    for (const other of needs)
      if (!Object.hasOwn(workflow.jobs, other)) fault(`needs ${other}, which is no job`);
    for (const [, other = ""] of JSON.stringify(job).matchAll(/needs\.(\w+)\./g))
      if (!needs.includes(other)) fault(`looks at ${other}, which it does not need`);
    for (const [, step = ""] of JSON.stringify(job).matchAll(/steps\.(\w+)\./g))
      if (!job.steps.some((one) => one.id === step)) fault(`looks at step ${step}, which it does not have`);
    for (const step of job.steps) for (const each of stepFaults(step)) fault(each);
  }
  return faults;
}

function stepFaults(step: Step): string[] {
  const { uses, run, env, ...rest } = step;
  const isCheckout = uses?.startsWith("actions/checkout@") === true;
  const faults: [isWrong: boolean, message: string][] = [
    ...Object.keys(step).map((key): [boolean, string] => [!keys.step.includes(key), `unknown key ${key}`]),
    [(uses === undefined) === (run === undefined), "a step has either uses or run"],
    // A value that others choose, such as the name of a branch, would be part of the script.
    [run?.includes("${{") === true, `puts an expression into a script: ${run}`],
    [
      uses !== undefined && !/^[\w.-]+\/[\w./-]+@(v\d+|[0-9a-f]{40})$/.test(uses),
      `takes ${uses} at no version`,
    ],
    [/npx (?!--no-install |--yes [\w-]+@\d)/.test(run ?? ""), "runs whatever version npm has of a command"],
    [isCheckout && step.with?.["persist-credentials"] !== false, "leaves its token to every later step"],
    [isCheckout && uses !== "actions/checkout@v6", `takes another checkout than the rest: ${uses}`],
    [
      /secrets\.|github\.token/.test(JSON.stringify(rest)),
      "hands a secret to something else than the environment",
    ],
    [
      Object.values(env ?? {}).some((value) => /\$\{\{.*secrets\b(?!\.[A-Z_]+)/.test(value)),
      "hands over all secrets",
    ],
  ];
  return faults.flatMap(([isWrong, message]) => (isWrong ? [message] : []));
}

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const laidOut = below("templates/ci/github");
const examples = [
  "examples/change-approval/workflow.yaml",
  ...below("examples").filter((path) => path.includes("/.github/")),
];

describe("the workflows", () => {
  it.each([...laidOut, ...examples])("%s is what GitHub takes, with no more rights than it needs", (path) => {
    const text = readFileSync(join(root, path), "utf8");
    expect(faultsOf(basename(path), text)).toEqual([]);
    expect(
      commandFaults(
        text
          .split("\n")
          .map((line) => line.replace(/npx (--no-install|--yes) /, "").replace("arcflux@0.1", "arcflux")),
      ),
    ).toEqual([]);
  });

  it("name no variable or secret that the guide does not have", () => {
    const own = new Set(["GITHUB_TOKEN"]);
    for (const path of laidOut)
      for (const [, name = ""] of readFileSync(join(root, path), "utf8").matchAll(
        /\b(?:vars|secrets)\.(\w+)/g,
      ))
        if (!guide.includes(`\`${name}\``)) own.add(`${path}: ${name}`);
    expect([...own]).toEqual(["GITHUB_TOKEN"]);
  });

  it("that are careless are found", () => {
    const careless = `on: pull_request
permisions: {}
jobs:
  a:
    needs: b
    steps:
      - uses: actions/checkout@main
      - run: echo "\${{ github.head_ref }}" \${{ secrets.TOKEN }}
      - uses: some/action@v1
        with: { token: "\${{ secrets.TOKEN }}" }
      - run: npx arcflux validate
      - name: nothing
  c:
    permissions: { contents: write }
    timeout-minutes: 5
    if: needs.a.result == 'success' && steps.x.outputs.y
    steps: [{ run: "true" }]
`;
    expect(faultsOf("careless.yml", careless)).toEqual([
      "unknown key permisions",
      "a: may run for six hours",
      "a: has the permissions of the repository",
      "a: needs b, which is no job",
      "a: takes actions/checkout@main at no version",
      "a: leaves its token to every later step",
      "a: takes another checkout than the rest: actions/checkout@main",
      expect.stringContaining("a: puts an expression into a script"),
      "a: hands a secret to something else than the environment",
      "a: runs whatever version npm has of a command",
      "a: a step has either uses or run",
      "c: may write contents",
      "c: looks at a, which it does not need",
      "c: looks at step x, which it does not have",
    ]);
  });
});

describe("the pipelines of Azure", () => {
  it.each(below("templates/ci/azure-pipelines"))(
    "%s puts no macro into a script, and has tasks at a version",
    (path) => {
      const scripts: string[] = [];
      const tasks: string[] = [];
      const look = (value: unknown, key = ""): void => {
        if (typeof value === "string" && (key === "script" || key === "inlineScript")) scripts.push(value);
        if (typeof value === "string" && key === "task") tasks.push(value);
        if (typeof value === "object" && value !== null)
          for (const [name, inner] of Object.entries(value)) look(inner, name);
      };
      look(parse(readFileSync(join(root, path), "utf8")));
      expect(scripts.length).toBeGreaterThan(1);
      // $(Name) and \${{ }} are put in before the shell reads the script, whoever chose the value.
      expect(scripts.filter((script) => /\$\{\{|\$\([A-Za-z_.]+\)/.test(script))).toEqual([]);
      expect(tasks.filter((task) => !/^\w+@\d+$/.test(task))).toEqual([]);
    },
  );
});

describe("the pipelines of GitLab", () => {
  const text = readFileSync(join(root, "templates/ci/gitlab/.gitlab-ci.yml"), "utf8");
  const { stages, ...rest } = parse(text) as Readonly<Record<string, Partial<GitlabJob>>> & {
    readonly stages: readonly string[];
  };
  const jobs = Object.entries(rest).filter(([name]) => !["workflow", "variables", "default"].includes(name));

  it("name stages, jobs and templates that there are", () => {
    const names = jobs.map(([name]) => name);
    expect(names).toEqual([".azure", "fork", "review", "gate", "update", "drift", "promote"]);
    for (const [name, { stage = "", extends: template, needs = [], script, trigger, rules }] of jobs.slice(
      1,
    )) {
      expect([name, stages]).toEqual([name, expect.arrayContaining([stage])]);
      expect([name, names]).toEqual([name, expect.arrayContaining([...needs, template ?? ".azure"])]);
      expect([name, (script === undefined) !== (trigger === undefined)]).toEqual([name, true]);
      expect([name, (rules ?? []).length > 0]).toEqual([name, true]);
    }
  });

  it("give a fork no token, and take nothing into a script but by the shell", () => {
    const fork = JSON.stringify(rest["fork"]);
    expect(fork).not.toMatch(/TOKEN|azure|SECRET/);
    expect(fork).toContain("ARCFLUX_UNTRUSTED=true");
    // An unquoted value that others choose would be words of the command.
    const chosen = /(?<!")\$\{?(CI_MERGE_REQUEST_TITLE|CI_COMMIT_(MESSAGE|REF_NAME|BRANCH)|ARCFLUX_PROMOTE)/;
    for (const [name, { script = [] }] of jobs)
      expect([name, script.filter((line) => chosen.test(line))]).toEqual([name, []]);
  });
});
