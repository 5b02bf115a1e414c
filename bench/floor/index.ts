/**
 * The floor that a preview is measured against: the same resources as the program registers, with the same types,
 * parents, dependencies, providers and values, but every value a literal. No fleet file, no rendering, no git.
 */
import { readFileSync } from "node:fs";

import { Extension, FluxConfiguration } from "@pulumi/azure-native/kubernetesconfiguration/index.js";
import * as pulumi from "@pulumi/pulumi";

import { GitFiles, type GitFilesArgs } from "../../provider/gitFiles.ts";
import type { FloorCluster } from "./literals.ts";

class Component extends pulumi.ComponentResource {}

const literals = JSON.parse(readFileSync(process.env["ARCFLUX_FLOOR"] ?? "", "utf8")) as FloorCluster[];
const timeouts = { create: "60m", update: "60m", delete: "60m" };
const options = { protect: false };

export const clusters = Object.fromEntries(
  literals.map(({ name, files, extension, configuration }) => {
    const folder = new Component("arcflux:index:FluxFolder", name, {}, options);
    const commit = new GitFiles(`${name}-files`, files as unknown as GitFilesArgs, { parent: folder }).commit;
    const flux = new Component("arcflux:index:FluxBootstrap", name, {}, options);
    const installed = new Extension(`${name}-flux`, extension as never, {
      parent: flux,
      customTimeouts: timeouts,
    });
    const configured = new FluxConfiguration(`${name}-configuration`, configuration as never, {
      parent: flux,
      dependsOn: [installed, folder],
      customTimeouts: timeouts,
    });
    return [name, { arcId: installed.id, folder: name, commit, bootstrap: configured.name }];
  }),
);
