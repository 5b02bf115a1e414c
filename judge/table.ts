import type { Judgement } from "./judgement.ts";
import { retiredApi } from "./judgements/retiredApi.ts";
import { build } from "./judgements/build.ts";
import { components } from "./judgements/components.ts";
import { crdOrder } from "./judgements/crdOrder.ts";
import { fluxNamespace } from "./judgements/fluxNamespace.ts";
import { healthChecks } from "./judgements/healthChecks.ts";
import { images } from "./judgements/images.ts";
import { leftOut } from "./judgements/leftOut.ts";
import { notJudged } from "./judgements/notJudged.ts";
import { notStopped } from "./judgements/notStopped.ts";
import { packLabels } from "./judgements/packLabels.ts";
import { patchTargets } from "./judgements/patchTargets.ts";
import { releaseVersions } from "./judgements/releaseVersions.ts";
import { renamedNamespace } from "./judgements/renamedNamespace.ts";
import { encryptedMetadata, partlyEncrypted, plainSecret, sopsWithoutDecryption } from "./judgements/sops.ts";
import { substitutedNowhere } from "./judgements/substitutedNowhere.ts";
import { tenantObjects } from "./judgements/tenantObjects.ts";
import { twoOwners } from "./judgements/twoOwners.ts";
import { undefinedVariables, unreadableVariables } from "./judgements/undefinedVariables.ts";
import { windowedReleases } from "./judgements/windowedReleases.ts";
import { undeliveredSecret } from "./judgements/undeliveredSecret.ts";
import { recipients } from "./recipients.ts";
import { unusedVariables } from "./unusedVariables.ts";

/** Every judgement there is, in the order of the outage that it prevents. */
export const judgements: readonly Judgement[] = [
  build,
  leftOut,
  twoOwners,
  renamedNamespace,
  fluxNamespace,
  sopsWithoutDecryption,
  encryptedMetadata,
  unreadableVariables,
  undefinedVariables,
  windowedReleases,
  crdOrder,
  plainSecret,
  partlyEncrypted,
  undeliveredSecret,
  packLabels,
  notStopped,
  healthChecks,
  patchTargets,
  images,
  components,
  retiredApi,
  releaseVersions,
  tenantObjects,
  substitutedNowhere,
  notJudged,
];

/** As `--ignore` takes them, and as the reference lists them. */
export const judgementList: readonly Pick<Judgement, "name" | "severity" | "finds">[] = [
  ...judgements,
  unusedVariables,
  recipients,
];
