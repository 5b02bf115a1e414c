import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitEnvironment } from "../../git/access/environment.ts";
import { writeFiles } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let ssh: string;
let repository: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  repository = await shop.repository({ "README.md": "read me\n" });
  // Stands in for ssh: notes the host and runs the command here. -G is git asking which ssh this is.
  ssh = join(shop.folder, "ssh-here");
  const script = `[ "$1" = -G ] && exit 1\necho "$1" >> ${shop.folder}/hosts\nshift\nexec sh -c "$*"`;
  writeFileSync(ssh, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
});
afterEach(() => shop.remove());

const hosts = (): Set<string> => new Set(readFileSync(join(shop.folder, "hosts"), "utf8").trim().split("\n"));

describe("SSH", () => {
  it("works with the user's GIT_SSH_COMMAND, and the token stays here", async () => {
    shop.writeHook(repository, "pre-receive", `env > ${shop.folder}/environment`);
    const env = { ...shop.env, GIT_SSH_COMMAND: ssh, ARCFLUX_GIT_TOKEN: "S3CRET" };
    const result = await writeFiles(writeRequest({ url: `git@git.example.com:${repository}` }), {
      env,
      tempRoot: shop.tempRoot,
    });
    expect(shop.log(repository)[0]).toBe(result.commit);
    expect(hosts()).toEqual(new Set(["git@git.example.com"]));
    expect(readFileSync(join(shop.folder, "environment"), "utf8")).not.toContain("S3CRET");
  });

  it("works with core.sshCommand of the user's git config", async () => {
    writeFileSync(join(shop.home, ".gitconfig"), `[core]\n\tsshCommand = ${ssh}\n`);
    const url = `ssh://git@git.example.com${repository}`;
    const result = await writeFiles(writeRequest({ url }), { env: shop.env, tempRoot: shop.tempRoot });
    expect(shop.log(repository)[0]).toBe(result.commit);
    expect(hosts()).toEqual(new Set(["git@git.example.com"]));
  });

  it("never prompts where the user set nothing", () => {
    const env = gitEnvironment({ PATH: "/bin" }, "git@git.example.com:fleet.git", undefined);
    expect(env["GIT_SSH_COMMAND"]).toBe("ssh -oBatchMode=yes");
    expect(env["SSH_ASKPASS_REQUIRE"]).toBe("never");
  });
});
