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

  /** With what to do, where a command ends by it; of one cluster among many it is told without. */
  get withNext(): string {
    const next = "Check the address of its server in your kubeconfig, and the way there, then run it again.";
    return `${this.message.replace(/\.+$/, "")}. ${next}`;
  }
}

/** A cluster would not take an object, in its words. */
export class Declined extends ClusterError {
  override readonly name = "Declined";
  /** Whether it may take it later: what the object needs is not there yet. */
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}

/**
 * What is said where credentials of a kubeconfig never became a request: the messages of fetch, for a token that is no
 * header, and of the JSON parser, for the answer of a plugin, repeat them. Undefined for any other error.
 */
export function unusable(error: unknown): string | undefined {
  const isOwn = error instanceof TypeError || error instanceof SyntaxError;
  return isOwn && error.cause === undefined
    ? "its credentials cannot be sent: a token is no HTTP header, or an answer no JSON"
    : undefined;
}
