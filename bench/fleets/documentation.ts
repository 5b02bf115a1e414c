/**
 * `node bench/fleets/documentation.ts PAGE …`: imports every YAML block of pages of Flux's documentation, such as
 * docs/spec/v1/kustomizations.md of fluxcd/kustomize-controller, and says what became of each. What a block leaves out "for
 * brevity" is filled in first. Exits with 1 where a Kustomization is neither taken nor named, differs from what it was, or
 * comes to a fleet file that does not validate.
 */
import { readFileSync } from "node:fs";
import { type Document, isMap, parseAllDocuments } from "yaml";
import { loadFleet } from "../../fleet/load.ts";
import { validateSpec } from "../../flux/crd/validate.ts";
import { foundOnCluster, importClusters, objectsOf } from "../../import/index.ts";

type Outcome = "taken" | "taken once completed" | "left out and named" | "no Kustomization" | "FAULT";

const pages = process.argv.slice(2);
if (pages.length === 0) {
  console.error("Name the Markdown pages.");
  process.exit(2);
}
const counts = new Map<Outcome, number>();
for (const page of pages)
  for (const { line, text } of blocksOf(readFileSync(page, "utf8"))) {
    const { outcome, words } = judged(text);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    console.log(`${page}:${line}: ${outcome}${words === "" ? "" : `: ${words}`}`);
  }
console.log([...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", "));
process.exitCode = counts.has("FAULT") ? 1 : 0;

/** The YAML blocks of a page, with the line that each begins in. */
function blocksOf(page: string): { readonly line: number; readonly text: string }[] {
  return [...page.matchAll(/^( *)```ya?ml\n(.*?)^ *```/gms)].map(
    ({ index, 1: indent = "", 2: text = "" }) => ({
      line: page.slice(0, index).split("\n").length + 1,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

function judged(text: string): { readonly outcome: Outcome; readonly words: string } {
  const asWritten = imported(text);
  if (asWritten.fault !== "") return { outcome: "FAULT", words: asWritten.fault };
  if (asWritten.isWhole) return { outcome: "taken", words: "" };
  const full = imported(completed(text));
  if (full.fault !== "") return { outcome: "FAULT", words: `completed: ${full.fault}` };
  if (full.written === 0) return { outcome: "no Kustomization", words: "" };
  return full.isWhole
    ? { outcome: "taken once completed", words: "" }
    : { outcome: "left out and named", words: full.words };
}

/** What import makes of a block, as `arcflux import FILE` does. */
function imported(text: string) {
  const { objects, notTaken } = objectsOf("block.yaml", text);
  const kustomizations = objects.filter(
    ({ kind, apiVersion }) =>
      kind === "Kustomization" && apiVersion.startsWith("kustomize.toolkit.fluxcd.io/"),
  );
  const found = objects.length === 0 ? [] : [foundOnCluster("edge-0", objects)];
  const { fleetYaml, sets, proof, notes, ...rest } = importClusters(found, {}, notTaken);
  const left = new Set(
    rest.notTaken.flatMap(({ path, matter }) => (matter === "object" ? (path.split(": ")[0] ?? []) : [])),
  );
  const silent = kustomizations.length - sets.length - left.size;
  const errors =
    fleetYaml === ""
      ? []
      : loadFleet(fleetYaml, "fleet.yaml", { validateSpec }).findings.filter(
          ({ severity }) => severity === "error",
        );
  const isWhole = kustomizations.length > 0 && sets.length === kustomizations.length;
  const faults = [
    ...errors.map(({ path, message }) => `does not validate: ${path}: ${message}`),
    ...proof.differ.map(({ set, fields }) => `${set} differs in ${fields.join(", ")}`),
    ...(silent > 0 && kustomizations.length > 0 ? [`${silent} are neither taken nor named`] : []),
  ];
  return {
    written: kustomizations.length,
    isWhole,
    fault: faults.join("; "),
    words: notes.flatMap(({ lines }) => lines).join("; "),
  };
}

/** A block with all that every Kustomization needs, a name where a placeholder stands, and no ellipsis. */
function completed(text: string): string {
  const documents = parseAllDocuments(
    text.replaceAll(/^ *\.\.\. #.*\n/gm, "").replaceAll(/<[-a-z]*name>/g, "placeholder"),
  );
  if (!Array.isArray(documents)) return text;
  return (documents as Document[])
    .map((document) => {
      const { contents } = document;
      if (document.errors.length > 0) return "";
      if (!isMap(contents) || contents.get("kind") !== "Kustomization") return String(document);
      if (!String(contents.get("apiVersion")).startsWith("kustomize.toolkit.fluxcd.io/"))
        return String(document);
      const needed = {
        interval: "10m",
        prune: true,
        path: "./",
        sourceRef: { kind: "GitRepository", name: "flux-system" },
      };
      if (!isMap(contents.get("spec"))) contents.set("spec", document.createNode({}));
      for (const [key, value] of Object.entries(needed))
        if (!document.hasIn(["spec", key])) document.setIn(["spec", key], document.createNode(value));
      return String(document);
    })
    .join("---\n");
}
