import type { HttpAnswer, HttpCall } from "../access/http.ts";

export type PullRequestState = "open" | "merged" | "closed";

/** A pull request (GitLab: merge request) as the host has it now. */
export interface PullRequest {
  /** GitLab's iid, Azure DevOps' id. */
  readonly number: number;
  /** For people. */
  readonly url: string;
  readonly state: PullRequestState;
  /** Last commit of the side branch that it knows. */
  readonly head: string | undefined;
  readonly title: string;
  readonly description: string;
}

/** What a pull request is to say. */
export interface PullRequestText {
  readonly title: string;
  readonly description: string;
}

/** What somebody said of a pull request. */
export interface Comment {
  /** What the host changes it by: on Azure DevOps its thread and its number there. */
  readonly id: string;
  readonly text: string;
}

/** What a check says of a commit, by the name under which the host shows it. */
export interface CommitStatus {
  readonly name: string;
  readonly state: "passed" | "failed" | "pending";
}

/** The pull requests of one repository. Everything rejects with GitError. */
export interface Host {
  /** The open one from the side branch into the base; without one, the newest. */
  readonly find: (side: string, base: string) => Promise<PullRequest | undefined>;
  /** Undefined where one is open already: another process was first. */
  readonly open: (side: string, base: string, text: PullRequestText) => Promise<PullRequest | undefined>;
  readonly update: (number: number, text: PullRequestText) => Promise<PullRequest>;
  /** A page of what people and tools said of one, oldest first; a page that is empty is past the last. */
  readonly comments: (number: number, page: number) => Promise<readonly Comment[]>;
  /** Says something new, or something else in the place of a comment. */
  readonly say: (number: number, text: string, inPlaceOf?: string) => Promise<void>;
  /** What checks say of a commit; of each the newest word. */
  readonly statuses: (commit: string) => Promise<readonly CommitStatus[]>;
}

/** Makes an authorized call. */
export type Call = (call: Omit<HttpCall, "what">) => Promise<HttpAnswer>;
