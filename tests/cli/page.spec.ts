import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";
import type { PageData } from "../../page/index.ts";

/* What the page shows in a browser is in tests/page. */

const { path, save, run } = workFolder();

async function repository(): Promise<string> {
  const bare = join(path(), "fleet.git");
  await mkdir(bare);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", bare, ...args], { stdio: "pipe" })
      .toString()
      .trim();
  git("init", "-q", "--bare", "-b", "main");
  const tree = git("hash-object", "-t", "tree", "-w", "/dev/null");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  git("update-ref", "refs/heads/main", git(...who, "commit-tree", tree, "-m", "First"));
  return bare;
}

it("writes the page, replaces its own, leaves files of others, and says who did not answer", async () => {
  const bare = await repository();
  await save(`apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
clusters:
  edge-0: { kubeconfig: { context: none }, sets: { pos: {} } }
`);
  const env = { ARCFLUX_REPOSITORY_URL: bare, KUBECONFIG: join(path(), "kubeconfig") };
  const first = await run("page --out fleet.html", { env });
  expect([first.code, first.out]).toEqual([0, "fleet.html written: 1 cluster.\n"]);
  const html = await readFile(join(path(), "fleet.html"), "utf8");
  const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)![1]!) as PageData;
  expect(data.clusters[0]).toMatchObject({
    name: "edge-0",
    word: "not asked",
    wanted: { branch: "main" },
    place: "fleet.yaml:5",
  });
  expect(data.commits.map(({ subject, person }) => [subject, person])).toEqual([["First", "Ada"]]);
  expect((await run("page --out fleet.html", { env })).code).toBe(0);

  await save("mine\n", "notes.html");
  const other = await run("page --out notes.html", { env });
  expect([other.code, other.err]).toEqual([1, "notes.html is not a page of Arcflux; name another file.\n"]);
  expect(await readFile(join(path(), "notes.html"), "utf8")).toBe("mine\n");

  const away = await run("page --out fleet.html", {
    env: { ...env, ARCFLUX_REPOSITORY_URL: join(path(), "gone.git") },
  });
  expect(away.code).toBe(0);
  // Branches of the fleet, its history and its record are all out of reach for one reason, which is said once.
  expect(away.err.match(/gone\.git could not be read/g)).toHaveLength(1);
  expect(away.err.match(/Check the URL and the network/g)).toHaveLength(1);
  expect((await readdir(path())).filter((name) => name.endsWith(".new"))).toEqual([]);

  for (const args of ["page", "page --out a.html --serve"]) {
    const wrong = await run(args, { env });
    expect([wrong.code, wrong.err]).toEqual([
      2,
      "Write --out FILE for a file, or --serve to look at it here; one of them.\n",
    ]);
  }
});
