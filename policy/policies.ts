import type { Policies, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { About } from "./about.ts";
import { agentsStay } from "./checks/azure/agentsStay.ts";
import { allowedRegions } from "./checks/azure/allowedRegions.ts";
import { explicitCreateOnly } from "./checks/azure/explicitCreateOnly.ts";
import { lockdownOn } from "./checks/azure/lockdownOn.ts";
import { noOpenManagementPort } from "./checks/azure/noOpenManagementPort.ts";
import { noPasswordLogin } from "./checks/azure/noPasswordLogin.ts";
import { onboardingKey } from "./checks/azure/onboardingKey.ts";
import { pinnedOrUpgraded } from "./checks/azure/pinnedOrUpgraded.ts";
import { protectedSettings } from "./checks/azure/protectedSettings.ts";
import { requiredTags } from "./checks/azure/requiredTags.ts";
import { waitsForExtension } from "./checks/azure/waitsForExtension.ts";
import { bootstrapFollowsCommittedFolder } from "./checks/bootstrapFollowsCommittedFolder.ts";
import { exemptionsShown } from "./checks/exemptionsShown.ts";
import { explicitBootstrapFields } from "./checks/explicitBootstrapFields.ts";
import { alertsWithHealth } from "./checks/files/alertsWithHealth.ts";
import { deletionPolicy } from "./checks/files/deletionPolicy.ts";
import { forceNeedsReason } from "./checks/files/forceNeedsReason.ts";
import { healthWithTimeout } from "./checks/files/healthWithTimeout.ts";
import { lockdownReferences } from "./checks/files/lockdownReferences.ts";
import { pinnedSources } from "./checks/files/pinnedSources.ts";
import { secureSources } from "./checks/files/secureSources.ts";
import { soundDependencies } from "./checks/files/soundDependencies.ts";
import { soundReferences } from "./checks/files/soundReferences.ts";
import { tenantsApart } from "./checks/files/tenantsApart.ts";
import { timeoutWithinInterval } from "./checks/files/timeoutWithinInterval.ts";
import { windowedBehindWindow } from "./checks/files/windowedBehindWindow.ts";
import { blastRadius } from "./checks/fleet/blastRadius.ts";
import { confirmedDeletions } from "./checks/fleet/confirmedDeletions.ts";
import { fieldsFitVersion } from "./checks/fleet/fieldsFitVersion.ts";
import { freezesRespected } from "./checks/fleet/freezesRespected.ts";
import { limitsRespected } from "./checks/fleet/limitsRespected.ts";
import { promotedPins } from "./checks/fleet/promotedPins.ts";
import { protectedInProduction } from "./checks/fleet/protectedInProduction.ts";
import { stagesAlike } from "./checks/fleet/stagesAlike.ts";
import { supportedFlux } from "./checks/fleet/supportedFlux.ts";
import { fluxNamespace } from "./checks/fluxNamespace.ts";
import { minimumInterval } from "./checks/minimumInterval.ts";
import { noPlainTextSecret } from "./checks/noPlainTextSecret.ts";
import { onlyBootstrap } from "./checks/onlyBootstrap.ts";
import { ownBootstrapFolder } from "./checks/ownBootstrapFolder.ts";
import { withExemptions } from "./exemptions.ts";
import { refuseUnknownSettings } from "./refuseUnknownSettings.ts";
import { withScope } from "./scope.ts";
import { tellUnknownOnce } from "./tellUnknownOnce.ts";
import { withoutSecretsTold } from "./withoutSecretsTold.ts";

/** A policy of the pack as it is written. */
export type Policy = ResourceValidationPolicy & Partial<StackValidationPolicy> & About;

/** Every policy by what it looks at, in the order of the guide. */
export const policyGroups: Readonly<Record<"azure" | "files" | "fleet", readonly Policy[]>> = {
  azure: [
    onlyBootstrap,
    bootstrapFollowsCommittedFolder,
    ownBootstrapFolder,
    fluxNamespace,
    explicitBootstrapFields,
    explicitCreateOnly,
    waitsForExtension,
    pinnedOrUpgraded,
    lockdownOn,
    onboardingKey,
    agentsStay,
    requiredTags,
    allowedRegions,
    noOpenManagementPort,
    noPasswordLogin,
    protectedSettings,
  ],
  files: [
    minimumInterval,
    timeoutWithinInterval,
    healthWithTimeout,
    alertsWithHealth,
    windowedBehindWindow,
    pinnedSources,
    deletionPolicy,
    secureSources,
    lockdownReferences,
    tenantsApart,
    soundDependencies,
    soundReferences,
    forceNeedsReason,
    noPlainTextSecret,
  ],
  fleet: [
    promotedPins,
    stagesAlike,
    blastRadius,
    freezesRespected,
    limitsRespected,
    confirmedDeletions,
    protectedInProduction,
    supportedFlux,
    fieldsFitVersion,
    exemptionsShown,
  ],
};

/** Every policy of the pack, with its scope and its exemptions. */
export const ready: readonly Policy[] = Object.values(policyGroups)
  .flat()
  .map((policy) =>
    ofOneType(tellUnknownOnce(refuseUnknownSettings(withExemptions(scoped(withoutSecretsTold(policy)))))),
  );

/** Nobody but Arcflux makes the files of clusters. */
function scoped<T extends Policy>(policy: T): T {
  return policy.onlyOf === undefined ? withScope(policy) : policy;
}

/** Has Pulumi's host ask a policy only about the type that it looks at, as `validateResourceOfType` would for a class. */
function ofOneType<T extends Policy>(policy: T): T {
  const { onlyOf, validateResource } = policy;
  if (onlyOf === undefined || typeof validateResource !== "function") return policy;
  return { ...policy, validateResource: Object.assign(validateResource, { __pulumiType: onlyOf }) };
}

/** The same for Pulumi. Making a pack of them opens a server, so that is left to index.js. */
export const policies: Policies = [...ready];
