import { basename, dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/*
 * Ends an update whose program is the folder of this package: Pulumi then runs the components alone, so nothing would be
 * registered and nothing said. Pulumi starts a program in its folder.
 */
const built = dirname(import.meta.dirname);
const isPulumi = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(process.argv[1] ?? "");
if (isPulumi && basename(built) === "dist" && process.cwd() === join(built, ".."))
  throw new pulumi.RunError(
    "Pulumi.yaml names the folder of the arcflux package as `main`, which is not a program. " +
      'Leave `main` out, and write `export * from "arcflux/program";` into index.ts beside Pulumi.yaml.',
  );
