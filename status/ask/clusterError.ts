/** A cluster did not do what it was asked. The message is complete. */
export class ClusterError extends Error {
  override readonly name: string = "ClusterError";
}

/** A cluster refused the credentials of the kubeconfig. */
export class Refused extends ClusterError {
  override readonly name = "Refused";
}

/** A cluster gave no answer. */
export class Unreachable extends ClusterError {
  override readonly name = "Unreachable";
}
