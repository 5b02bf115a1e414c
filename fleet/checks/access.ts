import { isLoopback, transport } from "../../values/repositoryUrl.ts";
import { allHolders } from "../layers.ts";
import type { Check } from "./report.ts";

/** How the repository is read fits its URL. */
export const checkAccess: Check = ({ file, report }) => {
  const { access, url } = file.repository;
  if (access === "public") {
    const holders = [{ path: [], entry: file }, ...allHolders(file)];
    for (const { path, entry } of holders) {
      if (entry.repository?.credentials === undefined) continue;
      report(
        [...path, "repository", "credentials"],
        "is read by nothing while repository.access is public; write access: token or ssh, or take it out",
        "key",
      );
    }
  }
  const kind = transport(url);
  if (access === "ssh" && kind !== "ssh") {
    report(
      ["repository", "access"],
      `ssh does not fit a URL of ${kind ?? "another kind"}; write an SSH URL, or access: token or public`,
    );
  }
  if (access !== "ssh" && kind === "ssh") {
    report(["repository", "access"], `${access} does not fit an SSH URL; write access: ssh, or an https URL`);
  }
  if (access === "token" && kind === "file") {
    report(["repository", "access"], "token does not fit a folder; write access: public, or an https URL");
  }
  if (access === "token" && kind === "http" && !isLoopback(url)) {
    report(["repository", "access"], "token would go over plain HTTP; write an https URL");
  }
};
