import path from "node:path";
import { expect, it } from "vitest";
import { cliArguments } from "../../lab/cliArguments.ts";

/* What the command line says about a real Kubernetes. */

const kubernetesOf = (...args: string[]): unknown => {
  const parsed = cliArguments([...args, "--", "true"], "/clone");
  return parsed.kind === "run" ? parsed.kubernetes : parsed;
};

it.each([
  [[], undefined],
  [["--cluster"], { clusters: [{ name: "edge-device-0" }] }],
  [["--cluster", "--cluster-names", "a,b-1"], { clusters: [{ name: "a" }, { name: "b-1" }] }],
  [["--cluster-names=a, b"], { clusters: [{ name: "a" }, { name: "b" }] }],
  [["--kubeconfig", "/k"], { kubeconfig: "/k" }],
  [["--kubeconfig=/a=b", "--cluster"], { kubeconfig: "/a=b" }],
  [
    ["--cluster-names", "Prod/eu,x", "--kubeconfig", "k"],
    { kubeconfig: path.resolve("k"), contexts: ["Prod/eu", "x"] },
  ],
])("reads %j", (args, expected) => {
  expect(kubernetesOf(...args)).toEqual(expected);
});

it.each([
  [
    ["--cluster-names", "a,A b"],
    "'A b' cannot be the name of a cluster. Write at most 63 lower-case letters",
  ],
  [["--cluster-names", "a,,b"], "--cluster-names has an empty name: a,,b."],
  [["--cluster-names", ","], "--cluster-names has an empty name: ,."],
  [["--cluster-names", "a,b,a"], "--cluster-names names one cluster twice: a,b,a."],
  [["--kubeconfig="], "--kubeconfig needs a file."],
  [["--cluster=yes"], "Unknown option '--cluster=yes'"],
])("refuses %j", (args, message) => {
  expect(kubernetesOf(...args)).toEqual({
    kind: "wrong",
    message: expect.stringContaining(message) as string,
  });
});

it("takes an option that has no value left for one without", () => {
  expect(cliArguments(["--cluster-names"], "/clone")).toEqual({
    kind: "wrong",
    message: "--cluster-names needs names, with commas between them.",
  });
});
