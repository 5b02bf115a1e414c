/** An installation of Flux that cannot go on; the message says what to do. */
export class InstallError extends Error {
  override readonly name = "InstallError";
  /** Whether Flux is on the cluster, so that what follows is an upgrade or a removal. */
  readonly isThere: boolean;

  constructor(message: string, isThere = false) {
    super(message);
    this.isThere = isThere;
  }
}
