import type { Policies } from "@pulumi/policy";

import { bootstrapFollowsCommittedFolder } from "./checks/bootstrapFollowsCommittedFolder.ts";
import { explicitBootstrapFields } from "./checks/explicitBootstrapFields.ts";
import { fluxNamespace } from "./checks/fluxNamespace.ts";
import { minimumInterval } from "./checks/minimumInterval.ts";
import { noPlainTextSecret } from "./checks/noPlainTextSecret.ts";
import { onlyBootstrap } from "./checks/onlyBootstrap.ts";
import { ownBootstrapFolder } from "./checks/ownBootstrapFolder.ts";
import { refuseUnknownSettings } from "./refuseUnknownSettings.ts";

/** Every check of the pack. Making a pack of them opens a server, so that is left to index.js. */
export const policies: Policies = [
  onlyBootstrap,
  bootstrapFollowsCommittedFolder,
  ownBootstrapFolder,
  fluxNamespace,
  explicitBootstrapFields,
  minimumInterval,
  noPlainTextSecret,
].map(refuseUnknownSettings);
