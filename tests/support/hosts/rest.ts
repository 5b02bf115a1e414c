/** One call that a stand-in got. */
export interface RestCall {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, string | undefined>>;
}

export interface RestAnswer {
  readonly status: number;
  /** JSON, or text as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A pull request as a stand-in keeps it. */
export interface KeptPull {
  readonly number: number;
  readonly side: string;
  readonly base: string;
  title: string;
  description: string;
  state: "open" | "merged" | "closed";
  /** Head at the time it was merged or closed; while it is open the branch tells. */
  head?: string;
  /** What was said of it, oldest first. */
  readonly comments?: { readonly id: number; text: string }[];
  /** Whether its branch is in a fork. */
  readonly fork?: boolean;
}

/** What a stand-in knows of its repository. */
export interface RestRepository {
  readonly pulls: KeptPull[];
  readonly tokens: Set<string>;
  /** By commit, what CI said: `run` for a check run, whose word is null while it runs. */
  readonly statuses?: ReadonlyMap<string, readonly { name: string; word: string | null; run: boolean }[]>;
  /** Commit of a branch; undefined when there is none. */
  readonly tip: (branch: string) => string | undefined;
  /** How many commits the side has that the base does not. */
  readonly ahead: (side: string, base: string) => number;
}

/** The REST interface of one host; undefined where the path is not of it. */
export type Rest = (call: RestCall, repository: RestRepository) => RestAnswer | undefined;

export const headOf = (pull: KeptPull, { tip }: RestRepository): string =>
  pull.head ?? tip(pull.side) ?? "0".repeat(40);

/** Whether it takes the place of another from this repository. */
export const isOpen = (pull: KeptPull): boolean => pull.state === "open" && pull.fork !== true;

export const missing = (body: RestCall["body"], ...names: string[]): string[] =>
  names.filter((name) => typeof body[name] !== "string" || body[name] === "");
