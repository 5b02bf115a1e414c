export { tokenVariable, usernameVariable } from "./credentials.ts";
export { GitError } from "./errors.ts";
export type { Conflict, GitErrorKind } from "./errors.ts";
export { readFiles } from "./read.ts";
export * from "./rules.ts";
export { killAll } from "./run.ts";
export type * from "./types.ts";
export { writeFiles } from "./write.ts";
