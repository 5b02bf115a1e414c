import type { HeldSet, Impact, Way } from "../impact/index.ts";
import { printable, showSome } from "../values/show.ts";
import { plural } from "./report.ts";

const most = 8;

/** What a change reaches, for a terminal: a line a set, with the ways below it. */
export function impactText(impact: Impact): string {
  const lines = [
    headline(impact),
    ...impact.reached.flatMap(({ set, clusters, ways }) => [
      `${set}: ${showSome(clusters)}`,
      ...ways.map((way) => `    ${wayText(way)}`),
    ]),
    ...(impact.held.length > 0 ? ["Not reached:"] : []),
    ...impact.held.map((held) => `    ${heldText(held)}`),
    ...productionText(impact),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

/** A comment for a pull request. */
export function impactMarkdown(impact: Impact): string {
  const rows = impact.reached.map(
    ({ set, clusters, ways }) =>
      `| ${cell(set)} | ${cell(showSome(clusters))} | ${ways.map((way) => cell(wayText(way))).join("<br>")} |`,
  );
  const held = impact.held.map((each) => `- ${cell(heldText(each))}`);
  const parts = [
    [`**${cell(headline(impact))}**`],
    productionText(impact).map((line) => `> ${cell(line)}`),
    rows.length > 0 ? ["| set | clusters | way |", "| --- | --- | --- |", ...rows] : [],
    held.length > 0 ? ["Not reached:", "", ...held] : [],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headline({ into, clusters, stages }: Impact): string {
  if (clusters.length === 0) return `Into ${into}: no cluster is reached.`;
  const named = stages.map((stage) => `${stage.name} (${stage.clusters} of ${stage.of})`);
  const of = named.length === 0 ? "" : `: ${named.join(", ")}`;
  return `Into ${into}: ${plural(clusters.length, "cluster")} ${clusters.length === 1 ? "is" : "are"} reached${of}.`;
}

function productionText({ stages, lostGuards }: Impact): string[] {
  const names = stages.filter(({ production }) => production).map(({ name }) => name);
  return [
    ...(names.length === 0 ? [] : [`Production is reached: ${names.join(", ")}.`]),
    ...lostGuards.map(({ guard, message }) => `A guard of production is lost: ${guard}: ${message}.`),
  ];
}

function wayText(way: Way): string {
  switch (way.way) {
    case "generated":
      return `generated file: ${few(way.files)}`;
    case "path":
      return `path: ${few(way.files)}`;
    case "app":
      return `app: ${few(way.names)}`;
    case "variable":
      return `variable: ${few(way.names)}`;
    case "cluster":
      return `the cluster itself: ${few(way.fields)}`;
    case "added":
      return "comes new";
    case "removed":
      return "goes";
    case "unknown":
      return `counts as reached, since it was not looked at: ${way.message}`;
  }
}

function heldText({ set, clusters, by }: HeldSet): string {
  const why =
    "branch" in by
      ? `by promotion, from ${by.branch} that ${clusters.length === 1 ? "it follows" : "they follow"}`
      : `pinned to ${by.pin} by source ${by.source}`;
  return `${set}: ${showSome(clusters)}, ${why}`;
}

function few(names: readonly string[]): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}

/** Names come from manifests and the fleet file; a table must stay one. */
function cell(text: string): string {
  return printable(text).replace(/[|<`]/g, (sign) => (sign === "`" ? "'" : `\\${sign}`));
}
