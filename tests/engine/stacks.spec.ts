import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify, parse } from "yaml";
import { mustRun } from "../../lab/run.ts";
import { projectRoot } from "../../lab/stack.ts";
import { arcflux } from "../cli/process.ts";
import { startTestLab, type TestLab } from "../support/lab.ts";

/* Three stacks of one project, one of which cannot go on: a file that somebody else wrote is in the way. */

let test: TestLab;
let folder: string;
const theirs = "clusters/south-1/flux/one.yaml";

beforeAll(async () => {
  test = await startTestLab({ assumeClusters: true });
  folder = join(test.lab.dir, "project");
  await mkdir(folder);
  const project = parse(await readFile(join(projectRoot, "Pulumi.yaml"), "utf8")) as object;
  // The file and not its folder: after `npm pack` the folder stands for the built package.
  const plugins = { providers: [{ name: "arcflux-git", path: join(projectRoot, "provider") }] };
  await writeFile(
    join(folder, "Pulumi.yaml"),
    stringify({ ...project, main: join(projectRoot, "index.ts"), plugins }),
  );
  const regions = ["north", "south", "west"];
  await writeFile(
    join(folder, "fleet.yaml"),
    stringify({
      apiVersion: "arcflux/v1",
      repository: { url: "https://git.example.com/edge/fleet.git" },
      arc: { resourceGroup: "rg-edge", location: "westeurope" },
      groups: { all: { match: {}, agents: "present", sets: { one: {} } } },
      clusters: Object.fromEntries(regions.map((region) => [`${region}-1`, { labels: { region } }])),
    }),
  );
  for (const region of regions) {
    const config = {
      "arcflux:clusters": `region=${region}`,
      "arcflux:fleet": join(folder, "fleet.yaml"),
      "arcflux:protect": "false",
    };
    await writeFile(join(folder, `Pulumi.${region}.yaml`), stringify({ config }));
    await mustRun("pulumi", ["stack", "init", region, "--cwd", folder, "--non-interactive"], {
      cwd: folder,
      env: test.env,
    });
  }
  await test.person.commit("By hand", { [theirs]: "kind: Theirs\n" });
});
afterAll(() => test.stop());

const stacks = (...args: string[]) => arcflux(["stacks", ...args], folder, { env: test.env });

it("go on where one fails, stop at the first failure if asked, and resume with what is left", async () => {
  const first = await stacks("up", "--parallel", "1");
  expect(first.out).toMatch(
    /^north {2}done in \d+ s: \d+ create\nsouth {2}failed in \d+ s: south-1: nothing was written to branch main of .* All it said: .*up-south\.log\n1 of 3 stacks done, 1 failed \(south\), 1 not started\. Go on with: arcflux stacks up --resume\n$/,
  );
  expect(first.code).toBe(1);
  await test.person.commit("Away with it", { [theirs]: null });
  const second = await stacks("up", "--resume", "--parallel", "2", "--json");
  const { done, left } = JSON.parse(second.out) as { done: Record<string, string>; left: string[] };
  expect([second.code, Object.keys(done).sort(), left]).toEqual([0, ["south", "west"], ["north"]]);
  const files = Object.keys(await test.repository.files());
  for (const region of ["north", "south", "west"])
    expect(files).toContain(`clusters/${region}-1/flux/one.yaml`);
});
