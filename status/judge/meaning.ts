/** What a reason of Flux means, and what to do about it. `docs/guide/day-two.md` says the same at length. */
export interface Meaning {
  readonly meaning: string;
  readonly next: string;
}

/** Reasons of Flux's condition Ready, those of sources, Kustomizations and HelmReleases together. */
const meanings: Readonly<Record<string, Meaning>> = {
  ArtifactFailed: {
    meaning: "The source has nothing to apply, or the folder is not in it.",
    next: "Look at the source, and whether `path` exists on the branch or tag that it follows.",
  },
  BuildFailed: {
    meaning: "kustomize cannot build the folder.",
    next: "Run kustomize build on the folder, mend it and commit.",
  },
  ReconciliationFailed: {
    meaning: "The cluster refused an object, or the folder has variables without a value.",
    next: "Mend the named object in Git. What was applied before keeps running.",
  },
  HealthCheckFailed: {
    meaning: "All was applied, but something did not become ready in time.",
    next: "Look at the named objects: arcflux why shows their events.",
  },
  HealthCheckCanceled: {
    meaning: "A newer commit came while Flux waited for health.",
    next: "Wait: Flux goes on with the newer commit.",
  },
  PruneFailed: {
    meaning: "Something that left Git could not be deleted.",
    next: "Look for finalizers or missing rights on the named objects.",
  },
  DependencyNotReady: {
    meaning: "It waits for a set that it depends on.",
    next: "Mend that set first; this one follows by itself.",
  },
  GitOperationFailed: {
    meaning: "The cluster cannot fetch the repository.",
    next: "Check URL, branch or tag, network and credentials of the source.",
  },
  AuthenticationFailed: {
    meaning: "The repository refused the cluster's credentials.",
    next: "Renew the token or key: arcflux status --credentials says what has ended.",
  },
  OCIArtifactPullFailed: {
    meaning: "The registry did not give the artifact.",
    next: "Check URL, tag and the credentials of the source.",
  },
  BucketOperationFailed: {
    meaning: "The bucket could not be read.",
    next: "Check endpoint, bucket name and the credentials of the source.",
  },
  URLInvalid: { meaning: "The URL of the source is none.", next: "Correct it in the fleet file." },
  VerificationError: {
    meaning: "The commit or artifact is not signed by a trusted key.",
    next: "Sign it, or correct `verify` of the source.",
  },
  AccessDenied: {
    meaning: "Multi-tenancy lockdown forbids a source of another namespace.",
    next: "Use a source in flux-system, or set flux.lockdown to false.",
  },
  InvalidCELExpression: {
    meaning: "An expression of readyExpr or healthCheckExprs is wrong.",
    next: "Correct it in the fleet file; Flux does not try again by itself.",
  },
  FeatureGateDisabled: {
    meaning: "The controller lacks a feature gate that a field needs.",
    next: "Take the field out, or switch the gate on in the extension.",
  },
  StorageOperationFailed: {
    meaning: "source-controller cannot store the artifact.",
    next: "Look at its disk space and restart it.",
  },
  InstallFailed: {
    meaning: "Helm could not install the chart.",
    next: "Read the message; correct the values and commit.",
  },
  UpgradeFailed: {
    meaning: "Helm could not upgrade the chart.",
    next: "Read the message; correct the values and commit.",
  },
  RollbackFailed: {
    meaning: "Helm could not go back to the release before.",
    next: "Run helm history and helm rollback on the cluster.",
  },
  TestFailed: { meaning: "The chart's own tests failed.", next: "Read the logs of the test pods." },
  RetriesExceeded: {
    meaning: "Helm gave up after the retries that the release allows.",
    next: "Correct it in Git, then run flux reconcile helmrelease --reset.",
  },
};

/** Undefined for a reason that is not in the list: the message of Flux then has to do. */
export function meaningOf(reason: string): Meaning | undefined {
  return Object.hasOwn(meanings, reason) ? meanings[reason] : undefined;
}

/** All reasons that are explained; the guide has a line for each. */
export const explainedReasons: readonly string[] = Object.keys(meanings);
