import type { PlainMap } from "../fleet/model.ts";
import type { GivenFiles, Missing } from "./memoryFiles.ts";

/** What the Go program is asked; see build/engine/main.go, which reads the same names. */
export type EngineRequest =
  | { readonly build: { readonly path: string; readonly spec: PlainMap; readonly isolated: boolean } }
  | {
      readonly substitute: {
        readonly texts: readonly string[];
        readonly variables: Readonly<Record<string, string>>;
        readonly strict: boolean;
        readonly always: boolean;
      };
    }
  | {
      readonly ignored: {
        readonly patterns: readonly { readonly folder: string; readonly text: string }[];
        readonly paths: readonly string[];
      };
    };

export interface EngineObject {
  readonly json: PlainMap;
  /** The object as text; only where it holds a dollar. */
  readonly yaml?: string;
  readonly file?: string;
}

export interface EngineResponse {
  readonly objects?: readonly EngineObject[];
  readonly ignored?: readonly boolean[];
  readonly error?: string;
}

/** A request with the files that it may look at. */
export interface EngineCall extends GivenFiles {
  readonly request: EngineRequest;
}

/**
 * What came of a call. Where something was missing, the response counts for nothing. `lost`: the program did not come
 * back; `memory`, `time` and `depth` are what it had too little of.
 */
export type EngineAnswer =
  | { readonly response: EngineResponse; readonly missing: Missing; readonly output: string }
  | { readonly lost: string; readonly missing: Missing };
