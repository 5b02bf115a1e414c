import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { formatFinding } from "../../fleet/finding.ts";
import type { Cluster } from "../../fleet/model.ts";
import { readFleet } from "../../fleet/readFleet.ts";
import { BareGit } from "../bareGit.ts";
import type { Lab } from "../lab.ts";
import { Person } from "../person.ts";
import { mustRun } from "../run.ts";
import { LabStack, projectRoot } from "../stack.ts";
import { azureWrites } from "./azureWrites.ts";
import { manifestsOf } from "../manifests.ts";
import { Narrator } from "./narrator.ts";
import { OnCluster } from "./onCluster.ts";

/** Longest run of one pulumi command, in seconds: many times what it takes. */
const patience = 600;

const policyPack = join(projectRoot, "policy");

/**
 * The main job on this machine: real engine, real Git; Azure, the key pair and Kubernetes are stand-ins. With a lab that
 * has a real cluster, also what Flux does there.
 */
export class Demo {
  readonly #lab: Lab;
  readonly #tell: Narrator;
  readonly #repository: BareGit;
  readonly #person: Person;
  readonly #cluster: OnCluster | undefined;
  #stack!: LabStack;

  constructor(lab: Lab, details: boolean) {
    this.#lab = lab;
    this.#tell = new Narrator(details);
    this.#repository = new BareGit(lab.gitDir);
    this.#person = new Person(lab.gitDir, join(lab.dir, "person"));
    this.#cluster = lab.kubernetes && new OnCluster(lab.kubernetes, this.#tell);
  }

  async play(): Promise<void> {
    await this.#prepareRepository();
    await this.#bringUp();
    await this.#addSet();
    await this.#changeNothing();
    await this.#stopBadChange();
    await this.#breakAndRepair();
    await this.#page();
    await this.#leave();
    this.#sayWhatIsNext();
  }

  async #prepareRepository(): Promise<void> {
    this.#tell.step("A GitOps repository, with the manifests that application teams committed");
    this.#stack = await LabStack.init(this.#lab, "dev");
    const files = Object.assign(
      { "README.md": "# Fleet\n" },
      ...(await this.#declared()).sets.map(manifestsOf),
    ) as Record<string, string>;
    await this.#person.commit("Add the manifests of the first sets", files);
    this.#tell.quote(await this.#repository.git("log", "--oneline", "--stat", "-1", "main"));
    this.#tell.say("The fleet file says which of them run where:");
    this.#tell.quote(await readFile(this.#stack.fleetFile, "utf8"));
  }

  async #bringUp(): Promise<void> {
    this.#tell.step("One update connects the cluster, installs Flux and commits the cluster's Flux objects");
    const before = await this.#repository.commits();
    await this.#operate("preview", true);
    this.#tell.claim(
      (await this.#repository.commits()).length === before.length,
      "the preview committed nothing",
    );
    await this.#operate("up", true, ["--skip-preview"]);
    const commits = await this.#repository.commits();
    this.#tell.claim(commits.length === before.length + 1, "the update made one commit");
    this.#tell.say("The commit:");
    this.#tell.quote(await this.#repository.git("log", "-1", "--format=%h %an: %s", "--stat", "main"));
    const [first] = await this.#changedPaths(commits[0] ?? "");
    this.#tell.say(`One of its files, ${first ?? "?"}:`);
    this.#tell.quote(await this.#repository.show(first ?? ""));
    this.#tell.say("What Azure was given of Flux, whatever else the fleet file says, is this and no more.");
    this.#tell.say(
      "(The lab puts its own Git server in place of repository.url, by ARCFLUX_REPOSITORY_URL.)",
    );
    this.#tell.quote(await this.#azureConfiguration());
    await this.#followOnCluster(
      "Flux on the cluster fetches the repository, and applies the sets in their order:",
    );
    await this.#cluster?.showSettings("set-01");
  }

  async #addSet(): Promise<void> {
    this.#tell.step("A new set: its manifests, one line in the fleet file, one update");
    const azure = await this.#azure();
    const text = await readFile(this.#stack.fleetFile, "utf8");
    await this.#stack.writeFleet(text.replace(/^( {4}sets:)$/m, "$1\n      set-03: {}"));
    this.#tell.say("In the fleet file, among the sets of edge-device-0:");
    this.#tell.quote("+     set-03: {}");
    const added = (await this.#declared()).sets.find(({ name }) => name === "set-03");
    if (added === undefined) throw new Error(`set-03 could not be added to ${this.#stack.fleetFile}.`);
    await this.#person.commit("Add the manifests of set-03", manifestsOf(added));
    const before = await this.#repository.commits();
    await this.#operate("up", true);
    const commits = await this.#repository.commits();
    const changes = await this.#repository.changes(commits[0] ?? "");
    this.#tell.quote(changes.join("\n"));
    this.#tell.claim(
      commits.length === before.length + 1 &&
        changes.length === 1 &&
        /^A .*\/set-03\.yaml$/.test(changes[0] ?? ""),
      "one commit, one new file",
    );
    this.#tell.claim((await this.#azure()) === azure, "no Azure resource was touched");
    await this.#followOnCluster("On the cluster:");
  }

  async #changeNothing(): Promise<void> {
    this.#tell.step("Nothing to change is nothing to do");
    await this.#operate("preview", true, ["--expect-no-changes"]);
    this.#tell.claim(true, "the preview has no changes");
  }

  async #stopBadChange(): Promise<void> {
    this.#tell.step(
      "A bad change is stopped in preview: a password in the fleet file would be readable in Git",
    );
    const [text, before] = [await readFile(this.#stack.fleetFile, "utf8"), await this.#repository.commits()];
    await this.#stack.writeFleet(
      text.replace(/^( {4}variables:.*)$/m, `$1\n      db_password: correct-horse-battery`),
    );
    this.#tell.say("In the fleet file, among the variables of edge-device-0:");
    this.#tell.quote("+     db_password: correct-horse-battery");
    const { code, stdout } = await this.#operate("preview", false);
    this.#tell.claim(code !== 0, "the policy pack refused the change", stdout);
    this.#tell.claim(
      stdout.includes("no-plain-text-secret"),
      "it was the policy no-plain-text-secret",
      stdout,
    );
    this.#tell.claim(
      !stdout.includes("correct-horse-battery") || stdout.includes("files"),
      "nothing was committed",
    );
    this.#tell.claim(
      (await this.#repository.commits()).length === before.length,
      "the repository is as it was",
    );
    await this.#stack.writeFleet(text);
  }

  async #breakAndRepair(): Promise<void> {
    if (this.#cluster === undefined) return;
    this.#tell.step(
      "Somebody commits a manifest that Flux cannot apply: it says so, and goes on after the fix",
    );
    await this.#cluster.breakAndRepair(await this.#declared(), (message, files) =>
      this.#person.commit(message, files),
    );
  }

  /** What `arcflux page` shows of the cluster while it runs. */
  async #page(): Promise<void> {
    if (this.#cluster === undefined) return;
    this.#tell.step("The fleet as a page to look at");
    this.#tell.command("arcflux page --direct --out fleet.html");
    const command = [join(projectRoot, "cli", "arcflux.ts"), "page", this.#stack.fleetFile, "--direct"];
    await mustRun(process.execPath, [...command, "--out", this.#pageFile], {
      cwd: this.#lab.dir,
      env: this.#lab.env,
      seconds: patience,
    });
    this.#tell.claim(
      /"name":"edge-device-0"[^{}]*"word":"ready"|"word":"ready"[^{}]*"name":"edge-device-0"/.test(
        await readFile(this.#pageFile, "utf8"),
      ),
      "it shows edge-device-0, ready",
    );
  }

  get #pageFile(): string {
    return join(this.#lab.dir, "fleet.html");
  }

  async #leave(): Promise<void> {
    this.#tell.step("Leaving: the cluster goes out of Azure, and of the repository only our files go");
    const declared = await this.#declared();
    const before = await this.#repository.files();
    await this.#operate("destroy", true);
    const after = await this.#repository.files();
    const gone = Object.keys(before).filter((path) => !(path in after));
    this.#tell.quote(gone.map((path) => `D ${path}`).join("\n"));
    this.#tell.claim(
      gone.length > 0 && gone.every((path) => /^clusters\/[^/]+\/flux\//.test(path)),
      "all that was deleted are generated Flux objects",
    );
    const kept = Object.entries(after).every(([path, blob]) => before[path] === blob);
    this.#tell.claim(kept, "every other file is there, byte for byte");
    await this.#cluster?.untilEmpty(declared);
  }

  #sayWhatIsNext(): void {
    this.#tell.step(this.#cluster ? "Next: Azure" : "Next: a real cluster");
    const real = this.#cluster
      ? "Azure and the key pair were stand-ins here; Pulumi's engine, Git, Kubernetes and Flux were real."
      : "Azure, the key pair and Kubernetes were stand-ins here; Pulumi's engine and Git were real.";
    const next = this.#cluster
      ? []
      : ["With a real Kubernetes API and Flux on this machine: npm run demo -- --cluster"];
    this.#tell.end([
      real,
      ...next,
      "In the README, 'On Azure' takes you from here to a cluster of your own:",
      "fleet.yaml gets your repository and resource group, then `pulumi stack init prod && pulumi up`.",
      ...(this.#cluster ? [`The fleet as the demo saw it, to open in a browser: ${this.#pageFile}`] : []),
      `What the demo left is in ${this.#lab.dir}; try more with: npm run lab -- --dir ${this.#lab.dir}`,
      "Each command with what it says, and each file: npm run demo -- --verbose",
    ]);
  }

  /** With a real cluster: waits until Flux has applied all that is committed. */
  async #followOnCluster(title: string): Promise<void> {
    if (this.#cluster === undefined) return;
    this.#tell.say(title);
    const [head = ""] = await this.#repository.commits();
    await this.#cluster.untilReady(await this.#declared(), head);
  }

  /** The one cluster of the fleet file, as it is now. */
  async #declared(): Promise<Cluster> {
    const { fleet, findings } = await readFleet(this.#stack.fleetFile);
    const faults = findings.map(formatFinding);
    const [cluster, ...others] = fleet?.clusters ?? [];
    if (cluster === undefined || others.length > 0) {
      faults.push(
        "The demo needs the fleet.yaml that came with the clone: one cluster, edge-device-0, with its sets.",
      );
    }
    if (cluster === undefined || faults.length > 0) throw new Error(faults.join("\n"));
    return cluster;
  }

  async #operate(command: string, mustWork: boolean, extra: readonly string[] = []) {
    // A destroy runs no program, so there is nothing for policies to look at.
    const policies = command === "destroy" ? [] : ["--policy-pack", policyPack];
    const args = [...policies, ...extra];
    this.#tell.command(`pulumi ${[command, ...args].join(" ").replace(policyPack, "policy")}`);
    const quote = (line: string): void => {
      if (line.trim() !== "") this.#tell.quote(line);
    };
    const ran = await this.#stack.operate(command, ["--suppress-progress", ...args], quote, patience);
    if (ran.code === -1) throw new Error(`pulumi ${command} was ended, or took longer than ${patience} s.`);
    if (mustWork && ran.code !== 0) throw new Error(`pulumi ${command} ended with exit code ${ran.code}.`);
    return ran;
  }

  async #changedPaths(commit: string): Promise<string[]> {
    return (await this.#repository.changes(commit)).map((change) => change.slice(2));
  }

  #azure(): Promise<string> {
    return azureWrites(join(this.#lab.dir, "azure"));
  }

  async #resources() {
    const state = await this.#stack.must(["stack", "export", "--stack", this.#stack.name]);
    const { deployment } = JSON.parse(state) as {
      deployment: { resources: { type: string; inputs: unknown }[] };
    };
    return deployment.resources;
  }

  async #azureConfiguration(): Promise<string> {
    const found = (await this.#resources()).find(({ type }) => type.endsWith(":FluxConfiguration"));
    const { gitRepository, kustomizations } = (found?.inputs ?? {}) as Record<string, unknown>;
    return JSON.stringify({ gitRepository, kustomizations }, null, 2);
  }
}
