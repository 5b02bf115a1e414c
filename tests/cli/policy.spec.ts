import { expect, it } from "vitest";
import { fleetText } from "../fleet/fixture.ts";
import { workFolder } from "./workFolder.ts";

const { save, run } = workFolder();

it("runs the pack on what the program would register, without Pulumi", async () => {
  await save(fleetText({ cluster: "sets: { pos: {}, web: {} }" }), "fleet.yaml");
  expect(await run(`policy test fleet.yaml`)).toMatchObject({
    ...{ code: 0, err: "", out: `fleet.yaml holds to all policies: 1 cluster.\n` },
  });

  // A token in base64, in the values of a chart; a set that never rests; and one without health, which is only advice.
  const token = Buffer.from(`ghp_${"a1B2".repeat(9)}`).toString("base64");
  const app = `apps: { till: { target: { kind: HelmRelease, name: till }, values: { registry: { pull: ${token} } } } }`;
  const sets = "sets: { pos: { timeout: 20m }, web: { wait: false } }";
  await save(fleetText({ cluster: sets }).replace("agents: present", "agents: install"), "bad.yaml");
  const { code, out } = await run(`policy test bad.yaml --json`);
  const { compliant, violations } = JSON.parse(out) as {
    compliant: boolean;
    violations: { severity: string; path: string; message: string; judgement: string; line: number }[];
  };
  expect([code, compliant]).toEqual([1, false]);
  expect(violations.map(({ severity, path, judgement }) => [severity, path, judgement])).toEqual([
    ["error", "clusters.edge-0.sets.pos", "policy timeout-within-interval"],
    ["warning", "clusters.edge-0.sets.web", "policy health-with-timeout"],
  ]);
  expect(violations[0]?.message).toContain("spec.timeout is '20m', longer than spec.interval '10m'");
  // The fleet file itself refuses what the pack would too.
  await save(fleetText({ cluster: app }), "secret.yaml");
  const secret = await run(`policy test secret.yaml`);
  expect([secret.code, secret.err]).toEqual([2, expect.stringContaining("is a GitHub token in plain text")]);

  await save(JSON.stringify({ all: "advisory", "timeout-within-interval": "disabled" }), "config.json");
  const quiet = await run(`policy test bad.yaml --config config.json`);
  expect([quiet.code, quiet.err]).toEqual([0, expect.stringContaining("policy health-with-timeout")]);
  const misspelt = { "timeout-in-interval": "disabled", "only-bootstrap": "strict" };
  await save(JSON.stringify(misspelt), "config.json");
  const wrong = await run(`policy test bad.yaml --config config.json`);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining("timeout-in-interval is not a policy of the pack"),
  ]);
  expect(wrong.err).toContain(
    "only-bootstrap has no level that there is; write mandatory, advisory, disabled, remediate.",
  );

  const badly = {
    "minimum-interval": { enforcementLevel: "advisory", minimumSeconds: "300" },
    "blast-radius": { maxPercent: 200, exempt: [{ cluster: "edge-0", until: "soon", reason: "INC" }] },
  };
  await save(JSON.stringify(badly), "config.json");
  const { code: refused, err } = await run(`policy test bad.yaml --config config.json`);
  expect(refused).toBe(2);
  for (const place of ["minimum-interval.minimumSeconds: ", "blast-radius.maxPercent: ", "exempt.0.until: "])
    expect(err).toContain(place);

  // What would leave a default in force, or fit nothing, is said of the file that holds it.
  const unfit = {
    all: { level: "advisory" },
    "minimum-interval": { minimumSecond: 300 },
    "secure-sources": { allowedHosts: ["https://git.example.com/"] },
    "no-open-management-port": { ports: [70000] },
    "only-bootstrap": { exempt: [{ cluster: "edge-0", until: "2026-12-31", reason: " " }] },
  };
  await save(JSON.stringify(unfit), "config.json");
  const fits = await run(`policy test bad.yaml --config config.json`);
  expect([fits.code, fits.err.split("\n").map((line) => line.split(/[;:] /).slice(0, 2).join(": "))]).toEqual(
    [
      2,
      [
        "bad.yaml:8:29: warning",
        "config.json: all has no level that there is",
        "config.json: minimum-interval has no setting 'minimumSecond'",
        "config.json: secure-sources.allowedHosts.0",
        "config.json: no-open-management-port.ports.0",
        "config.json: only-bootstrap.exempt.0.reason",
        "",
      ],
    ],
  );
}, 120_000);

it("judges many clusters in little memory", async () => {
  const clusters = Array.from(
    { length: 150 },
    (_, at) => `  store-${at}: { agents: present, sets: { pos: {} } }`,
  ).join("\n");
  await save(`${fleetText({ cluster: "sets: { pos: {} }" }).trimEnd()}\n${clusters}\n`, "large.yaml");
  // What Pulumi keeps of 150 clusters that are registered at once does not fit.
  const result = await run(`policy test large.yaml`, { node: ["--max-old-space-size=140"] });
  expect([result.code, result.out]).toEqual([0, "large.yaml holds to all policies: 151 clusters.\n"]);
}, 120_000);

it("says of many clusters once what is wrong of each in the same words", async () => {
  const clusters = ["store-1", "store-2", "store-3", "store-4", "store-5"];
  const sets = clusters.map((name) => `  ${name}: { sets: { pos: {} } }`).join("\n");
  await save(
    `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
sets: { pos: { path: ./pos, timeout: 20m } }
clusters:
${sets}
`,
    "many.yaml",
  );
  const { code, err } = await run(`policy test many.yaml`);
  expect([code, err]).toEqual([1, expect.any(String)]);
  expect(err.match(/longer than spec\.interval/g)).toHaveLength(1);
  expect(err).toMatch(
    /clusters\.store-1\.sets\.pos: .*\(also store-2, store-3, store-4 and 1 more\) \[policy timeout-within-interval\]/,
  );
  // Whoever reads it by program gets each at its line.
  const { violations } = JSON.parse((await run(`policy test many.yaml --json`)).out) as {
    violations: object[];
  };
  expect(violations).toHaveLength(5);
}, 120_000);
