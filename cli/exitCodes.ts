/** What a command ends with. */
export const exitCodes = {
  done: 0,
  /** The thing itself failed: a file that could not be written. */
  failed: 1,
  /** Wrong usage or input: an option that is not there, a fleet file with errors. */
  input: 2,
  /** A change reaches a stage that says `production: true`. */
  production: 3,
  /** A cluster is behind or failing, or was not ready in time. */
  behind: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
