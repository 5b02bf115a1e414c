/** A failure of set-up that is told to the user in these words, without a stack. */
export class SetupFault extends Error {}

/** Set-up was told to stop by Ctrl-C or a signal: clean up, and say no more. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`set-up was interrupted (${signal})`);
    this.signal = signal;
  }
}

const fileSystemFaults = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "something that is no folder is in the way",
  EEXIST: "something that is no folder is in the way",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
};

/**
 * The words for a failure: a SetupFault as it is, a file that cannot be written with the next step,
 * anything else with its stack, since it is a fault of set-up itself.
 */
export function describeFault(error, cacheFolder) {
  if (error instanceof SetupFault) return error.message;
  const reason = fileSystemFaults[error?.code];
  if (reason === undefined) return error?.stack ?? String(error);
  const path = error.path ?? cacheFolder;
  const next = path.startsWith(cacheFolder)
    ? `Make room or give yourself access to the cache folder ${cacheFolder}, or set ARCFLUX_CACHE_DIR to a folder you can write to.`
    : "Make room or give yourself write access to the clone.";
  return `cannot write ${path}: ${reason}.\n  ${next}`;
}
