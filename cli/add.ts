import { registerAddCluster } from "./addCluster.ts";
import { registerAddPart } from "./addPart.ts";
import { command, type Register } from "./command.ts";

export const registerAdd: Register = (program, terminal, done) => {
  const add = command(
    program,
    "add",
    "Write a cluster, a set or an app into the fleet file, comments kept.",
    [
      "arcflux add cluster store-001 --context store-001 --label kind=store",
      "arcflux add cluster --from stores.csv --into stores/north.yaml --script connect.sh",
      "arcflux add set pos --group stores --repo ../fleet",
      "arcflux add app signage --group stores --repo ../fleet",
    ],
  );
  registerAddCluster(add, terminal, done);
  registerAddPart("set", add, terminal, done);
  registerAddPart("app", add, terminal, done);
};
