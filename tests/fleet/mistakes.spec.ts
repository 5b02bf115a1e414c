import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";

/** Lines of a fleet of forty stores, by what each begins with; 31 of them are tills in prod. */
const stores = Array.from({ length: 40 }, (_, index) => {
  const [stage, tier] = index < 31 ? ["prod", "till"] : ["dev", "office"];
  return `  store-${String(index + 1).padStart(3, "0")}: { stage: ${stage}, labels: { kind: store, tier: ${tier} } }`;
});
const lines = [
  "apiVersion: arcflux/v1",
  "repository: { url: https://git.example.com/edge/fleet.git }",
  "arc: { resourceGroup: rg-edge, location: westeurope }",
  "agents: present",
  "bootstrap: { wait: false }",
  "windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }",
  "sets:",
  "  base: { path: ./base }",
  "  pos: { path: ./apps/pos, dependsOn: [base] }",
  "stages: { dev: {}, prod: { branch: prod, after: dev } }",
  "groups:",
  "  stores: { match: { kind: store }, sets: { base: {}, pos: {} } }",
  "  tills: { match: { tier: till }, sets: { pos: { window: nightly } } }",
  "alerts: { ops: { match: { kind: store }, provider: { type: msteams, secretRef: { name: teams } } } }",
  "clusters:",
  ...stores,
];

/** The findings of the fleet with other lines in the places of those that begin alike. */
function findings(...others: readonly string[]): string[] {
  const begin = (line: string) => /^ *[\w-]+:/.exec(line)?.[0] ?? "";
  const text = lines.map((line) => others.find((other) => begin(other) === begin(line)) ?? line);
  return loadFleet(`${text.join("\n")}\n`, "fleet.yaml").findings.map(formatFinding);
}

describe("a mistake in a fleet file", () => {
  it("is none where nothing is wrong", () => {
    expect(findings()).toEqual([]);
  });

  // What is written, and all that is found, each by its beginning up to the value and by its end.
  it.each<[string, string[], RegExp[]]>([
    [
      "a set that waits for the bootstrap, by the name in Azure",
      ["  pos: { path: ./apps/pos, dependsOn: [bootstrap] }"],
      [
        /^fleet\.yaml:9:40: sets\.pos\.dependsOn\[0\]: depends on "bootstrap", which applies the set itself.*; drop the entry/,
      ],
    ],
    [
      "a set that waits for its own parent",
      ["  pos: { path: ./apps/pos, dependsOn: [{ name: edge-config-bootstrap, external: true }] }"],
      [
        /^fleet\.yaml:9:40: sets\.pos\.dependsOn\[0\]: depends on "edge-config-bootstrap", which applies the set itself/,
      ],
    ],
    [
      "a bootstrap that waits for windows",
      ["bootstrap: { wait: true }"],
      [/^fleet\.yaml:5:20: bootstrap\.wait: waits for windows.* never ready: .* more; write wait: false$/],
    ],
    [
      "a bootstrap that waits for suspended sets",
      [
        "bootstrap: { wait: true }",
        "windows: {}",
        "  tills: { match: { tier: till }, sets: { pos: { suspend: { reason: INC-1 } } } }",
      ],
      [/^fleet\.yaml:5:20: warning: bootstrap\.wait: waits for sets that are suspended.* and 28 more/],
    ],
    [
      "a kind in lower case, of which Flux says that it is ready whatever happens",
      ["  base: { path: ./base, healthChecks: [{ kind: deployment, name: web, namespace: web }] }"],
      [
        /^fleet\.yaml:8:48: sets\.base\.healthChecks\[0\]\.kind: "deployment" is not allowed; a kind begins with an upper-case letter/,
      ],
    ],
    [
      "a health check that no namespace is named for",
      ["  base: { path: ./base, targetNamespace: web, healthChecks: [{ kind: Deployment, name: web }] }"],
      [
        /^fleet\.yaml:8:62: sets\.base\.healthChecks\[0\]: names no namespace.*; write namespace: web \(on store-001, store-002, store-003 and 37 more\)$/,
      ],
    ],
    [
      "a blank that is missing",
      ["  tills: { match: {tier:till}, sets: { pos: { window: nightly } } }"],
      [
        /^fleet\.yaml:13:20: groups\.tills\.match\["tier:till"\]: a blank is missing after the colon; write tier: till$/,
      ],
    ],
    [
      "a cluster with nothing after the colon",
      ["  store-007:"],
      [/^fleet\.yaml:22:3: clusters\.store-007: is empty; write {}, or its stage, labels and sets$/],
    ],
    [
      "the name of a Secret in the place of a reference",
      ["alerts: { ops: { provider: { type: msteams, secretRef: teams-webhook } } }"],
      [
        /^fleet\.yaml:14:45: alerts\.ops\.provider\.secretRef: is the name alone; write { name: teams-webhook }$/,
      ],
    ],
    [
      "clusters that must name how they are reached, once for all",
      ["agents: install"],
      [
        /^fleet\.yaml:16:3: clusters\.store-001\.kubeconfig: is missing, .* \(store-001, store-002, store-003 and 37 more\)$/,
      ],
    ],
    [
      "a set of a group that was meant as a shared one",
      [
        "  tills: { match: { tier: till }, sets: { poss-a: {} } }",
        "  base: { path: ./base }\n  pos-a: { path: ./a }",
      ],
      [
        /^fleet\.yaml:6:12: warning: windows\.nightly: /,
        /^fleet\.yaml:14:43: warning: groups\.tills\.sets\.poss-a: is a set of its own, .*\. Did you mean pos-a\?$/,
      ],
    ],
    [
      "the set of the apps, misspelt in a group",
      [
        "  stores: { match: { kind: store }, sets: { base: {}, pos: {} }, apps: { web: {} } }",
        "  tills: { match: { tier: till }, sets: { app-base: { window: nightly } } }",
      ],
      [
        /^fleet\.yaml:13:43: warning: groups\.tills\.sets\.app-base: is a set of its own, .*\. Did you mean apps-base\?$/,
      ],
    ],
    [
      "an alert for a label that no store has",
      [
        "alerts: { ops: { match: { kind: stores }, provider: { type: msteams, secretRef: { name: teams } } } }",
      ],
      [
        /^fleet\.yaml:14:25: warning: alerts\.ops\.match: matches no cluster: none has the labels "kind: stores";.*Did you mean kind: store\?$/,
      ],
    ],
    [
      "a group of a stage that is misspelt",
      ["  tills: { match: { stage: prd }, sets: { pos: { window: nightly } } }"],
      [/^fleet\.yaml:13:19: warning: groups\.tills\.match: matches no cluster.*Did you mean stage: prod\?$/],
    ],
    [
      "a shared set and a window that nothing takes",
      ["  base: { path: ./base }\n  spare: { path: ./spare }", "  tills: { match: { tier: till } }"],
      [
        /^fleet\.yaml:6:12: warning: windows\.nightly: is a window that no set is bound to/,
        /^fleet\.yaml:9:3: warning: sets\.spare: is a shared set that nothing takes/,
      ],
    ],
    [
      "a team's repository that is applied with all rights",
      [
        "agents: present\nsources: { team: { kind: GitRepository, url: https://git.example.com/team/deploy.git } }",
        "  base: { source: team, path: ./base }",
      ],
      [
        /^fleet\.yaml:9:19: warning: sets\.base\.source: takes manifests of another repository.*\(on store-001, .*37 more\)$/,
      ],
    ],
    [
      "a label stage beside another stage",
      ["  store-007: { stage: prod, labels: { kind: store, stage: test } }"],
      [
        /^fleet\.yaml:22:52: clusters\.store-007\.labels\.stage: stage is "prod", which labels match as stage: prod; drop/,
      ],
    ],
  ])("is found: %s", (_, change, expected) => {
    const found = findings(...change);
    expect(found).toEqual(expected.map((line) => expect.stringMatching(line) as string));
  });

  it("is none where a stage is matched, or apps-base is told apart where there are apps", () => {
    expect(findings("  tills: { match: { stage: prod }, sets: { pos: { window: nightly } } }")).toEqual([]);
    const apps =
      "  tills: { match: { tier: till }, sets: { pos: { window: nightly }, apps-base: { interval: 5m } } }";
    expect(findings(apps)).toEqual([]);
  });
});
