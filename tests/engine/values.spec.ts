import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { filesBelow, expectCode, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

const token = "tok-7Q2x/9+pLm==zz";

/** A program with one GitFiles; `files` is TypeScript that may use `pulumi`, `tls` and `key`. */
function program(url: string, files: string, more = ""): string {
  return [
    `import * as pulumi from "@pulumi/pulumi";`,
    `import * as tls from "@pulumi/tls";`,
    `import { GitFiles } from "./provider/gitFiles.ts";`,
    more,
    `export const key = new tls.PrivateKey("key", { algorithm: "RSA", rsaBits: 2048 });`,
    `const files = new GitFiles("files", {`,
    `  repository: ${JSON.stringify(url)}, branch: "main", directory: "clusters/a",`,
    `  files: ${files}, message: "Test", author: { name: "Arcflux", email: "arcflux@example.com" },`,
    `});`,
    `export const commit = files.commit;`,
    "",
  ].join("\n");
}

describe("values that are not known yet, and secrets (D02, D03)", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab();
  });
  afterAll(() => test.stop());

  it("an unknown value is shown as computed, is not written by a preview, and arrives in the update", async () => {
    const before = await test.repository.commits();
    const source = program(
      test.lab.repositoryUrl,
      `{ "flux/a.yaml": key.publicKeyPem, "flux/b.yaml": "b: 1\\n" }`,
    );
    const one = await TestProgram.create(test.lab, "unknown-value", source);
    const preview = expectCode(await one.pulumi("preview", "--diff"), 0);
    expect(preview.stdout).toMatch(/flux\/a\.yaml.*: \[unknown\]|flux\/a\.yaml.*output<string>/);
    expect(await test.repository.commits()).toEqual(before);
    expectCode(await one.pulumi("up", "--yes", "--skip-preview"), 0);
    expect(await test.repository.show("clusters/a/flux/a.yaml")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expectCode(await one.pulumi("destroy", "--yes", "--skip-preview"), 0);
  });

  it("a whole map that is unknown passes a preview", async () => {
    const files = `key.publicKeyPem.apply((pem) => ({ "flux/a.yaml": pem }))`;
    const one = await TestProgram.create(test.lab, "unknown-map", program(test.lab.repositoryUrl, files));
    expectCode(await one.pulumi("preview"), 0);
  });

  it("an Output put into a string is refused, in preview and in an update", async () => {
    const files = `{ "flux/a.yaml": "key: " + key.id + "\\n" }`;
    const one = await TestProgram.create(test.lab, "output-text", program(test.lab.repositoryUrl, files));
    for (const args of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const ran = await one.pulumi(...args);
      expect(ran.code).not.toBe(0);
      expect(ran.stdout + ran.stderr).toContain(`files["flux/a.yaml"]: holds the text of an Output`);
    }
    expect(Object.keys(await test.repository.files()).some((path) => path.startsWith("clusters/a/"))).toBe(
      false,
    );
  });

  for (const [what, files] of [
    ["one secret file", `{ "flux/a.yaml": pulumi.secret("password: hunter2-in-git\\n") }`],
    ["a secret that is also unknown", `{ "flux/a.yaml": key.privateKeyPem, "flux/b.yaml": "b: 1\\n" }`],
    ["a whole secret map", `pulumi.secret({ "flux/a.yaml": "password: hunter2-in-git\\n" })`],
  ] as const) {
    it(`${what} is refused, since Git is not secret, and not shown`, async () => {
      const name = `secret-${what.replace(/\W+/g, "-")}`;
      const one = await TestProgram.create(test.lab, name, program(test.lab.repositoryUrl, files));
      const ran = await one.pulumi("up", "--yes", "--skip-preview");
      expect(ran.code).not.toBe(0);
      expect(ran.stdout + ran.stderr).toContain("is a secret, and what is committed to Git is not");
      expect(ran.stdout + ran.stderr).not.toContain("hunter2-in-git");
      const state = await one.pulumi("stack", "export");
      expect(state.stdout).not.toContain("hunter2-in-git");
      expect(Object.keys(await test.repository.files()).some((path) => path.startsWith("clusters/a/"))).toBe(
        false,
      );
    });
  }

  it("all faults of the inputs are told at once, without the files map", async () => {
    const files = `{ "../up.yaml": "long-marker-content\\n", "flux\\\\b.yaml": "b\\n", "ok.yaml": "c: 1\\n" }`;
    const source = program(test.lab.repositoryUrl, files).replace(`branch: "main"`, `branch: "-evil"`);
    const one = await TestProgram.create(test.lab, "faults", source);
    const { code, stdout, stderr } = await one.pulumi("preview");
    expect(code).not.toBe(0);
    for (const place of [`branch: is "-evil"`, `files is "../up.yaml"`, `files is "flux\\\\b.yaml"`]) {
      expect(stdout + stderr).toContain(place);
    }
    expect(stdout + stderr).not.toContain("long-marker-content");
  });

  it("the token of the repository is in no state, file, output or process, also when a push fails (B12)", async () => {
    const source = program(test.lab.repositoryUrl, `{ "flux/a.yaml": "a: 1\\n" }`);
    const env = { ...test.env, ARCFLUX_GIT_TOKEN: token };
    const one = await TestProgram.create({ dir: test.lab.dir, env }, "token", source);
    const ran = await one.pulumi("up", "--yes", "--skip-preview", "--verbose", "9", "--logtostderr");
    expect(ran.code).not.toBe(0);
    expect(ran.stdout + ran.stderr).toMatch(/authentication/i);
    const forms = [token, encodeURIComponent(token), ...[token, `x-access-token:${token}`].map(base64)];
    const places = await filesBelow(test.lab.dir);
    for (const form of forms) {
      expect(ran.stdout + ran.stderr).not.toContain(form);
      for (const [path, bytes] of places) expect(bytes.includes(form), `${path} holds the token`).toBe(false);
    }
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
