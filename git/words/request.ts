import { checkDelivery } from "./checkDelivery.ts";
import { GitError } from "./errors.ts";
import {
  checkBranch,
  checkDirectory,
  checkFiles,
  checkIdentity,
  checkMessage,
  checkOwner,
  checkPath,
} from "./rules.ts";
import type { ReadRequest, WriteRequest } from "./types.ts";

/** Throws GitError "invalid" with every fault of a write; the URL is checked when its session opens. */
export function assertWriteRequest(request: WriteRequest): void {
  report([
    ...named("branch", checkBranch(request.branch)),
    ...named("directory", checkDirectory(request.directory)),
    ...named("files", checkFiles(request.files)),
    ...named("owner", checkOwner(request.owner)),
    ...named("followed", checkDirectory(request.followed ?? "")),
    ...named("before", Object.keys(request.before?.files ?? {}).flatMap(checkPath)),
    ...named("released", (request.released ?? []).flatMap(checkDirectory)),
    ...named("deletions", Object.keys(request.deletions ?? {}).flatMap(checkPath)),
    ...named("message", checkMessage(request.message)),
    ...named("author", checkIdentity(request.author)),
    ...named("delivery", checkDelivery(request.delivery)),
  ]);
}

/** As above for a read. */
export function assertReadRequest(request: ReadRequest): void {
  report([
    ...named("branch", checkBranch(request.branch)),
    ...named("directory", checkDirectory(request.directory)),
    ...named("paths", request.paths.flatMap(checkPath)),
    ...named("delivery", checkDelivery(request.delivery)),
  ]);
}

function named(name: string, reasons: readonly string[]): string[] {
  return reasons.map((reason) => `${name} ${reason}`);
}

function report(faults: readonly string[]): void {
  if (faults.length > 0) throw new GitError("invalid", faults.join("\n"));
}
