import { createHash } from "node:crypto";
import { formatFinding, type Finding } from "../fleet/finding.ts";
import type { Pipeline } from "./pipeline.ts";

/** A host shows this many at most; the comment has all. */
const most = 50;

/** Lines on standard output by which GitHub and Azure Pipelines put findings at their places; none for GitLab. */
export function annotations(findings: readonly Finding[], host: Pipeline["host"]): string[] {
  const some = findings.slice(0, most);
  switch (host) {
    case "github":
      return some.map(({ severity, file, line, column, ...finding }) => {
        const place = file === "" ? "" : ` file=${property(file)},line=${line},col=${column}`;
        return `::${severity}${place}::${data(textOf(finding))}`;
      });
    case "azureDevOps":
      return some.map(({ severity, file, line, column, ...finding }) => {
        const place =
          file === "" ? "" : `sourcepath=${issue(file)};linenumber=${line};columnnumber=${column};`;
        return `##vso[task.logissue type=${severity};${place}]${data(textOf(finding))}`;
      });
    case "gitlab":
      return [];
  }
}

/** GitLab's code quality report, which it shows at the lines of a merge request. */
export function codeQuality(findings: readonly Finding[]): string {
  const report = findings.map(({ severity, file, line, ...finding }) => ({
    description: textOf(finding),
    check_name: finding.judgement ?? "arcflux",
    // Without the line: a finding that only moved is no new one.
    fingerprint: createHash("sha256")
      .update(`${file}\n${textOf(finding)}`)
      .digest("hex"),
    severity: severity === "error" ? "major" : "minor",
    location: { path: file, lines: { begin: line } },
  }));
  return `${JSON.stringify(report, null, 2)}\n`;
}

function textOf(finding: Pick<Finding, "path" | "message" | "judgement">): string {
  return formatFinding({ severity: "error", file: "", line: 0, column: 0, ...finding });
}

/** GitHub's escapes, and those of Azure Pipelines for the text behind a command. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function issue(text: string): string {
  return text
    .replaceAll("%", "%AZP25")
    .replaceAll(";", "%3B")
    .replaceAll("]", "%5D")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}
