import { join } from "node:path";
import type { PlainMap } from "../fleet/model.ts";
import { cacheFolder } from "../values/cacheFolder.ts";
import { normalFolder } from "./normalFolder.ts";
import { buildSpec } from "./buildFields.ts";
import { buildStore } from "./buildStore.ts";
import { withCommonMetadata } from "./commonMetadata.ts";
import { Engine } from "./engine.ts";
import { bringEngine, findEngine, loadEngine } from "./engineFile.ts";
import { oneBuild, type BuildPlace } from "./oneBuild.ts";
import { sourceView, type ViewedSource } from "./sourceView.ts";
import { substituted } from "./substituted.ts";
import type {
  Builder,
  BuilderOptions,
  BuildOutcome,
  BuildRequest,
  NoEngine,
  SourceTree,
  SourceView,
} from "./types.ts";

/** Where the engine and built sets are kept; from the environment unless it is said. */
export interface BuilderPlace {
  readonly env?: NodeJS.ProcessEnv;
}

/** A builder, or why there is none: set-up has not brought the engine. */
export function openBuilder({ env = process.env, cache, onProgress }: BuilderOptions & BuilderPlace = {}):
  Builder | NoEngine {
  const file = findEngine(cacheFolder(env));
  if (file === undefined) {
    return { kind: "noEngine", message: `Sets cannot be built here: there is no engine; ${bringEngine}.` };
  }
  const engine = new Engine(() => loadEngine(file));
  const store = buildStore(cache ?? join(cacheFolder(env), "builds"));
  const place: BuildPlace = { engine, version: file.version, store };
  const sources = new Map<SourceTree, Map<string, ViewedSource>>();
  const known = new Map<ViewedSource, Map<string, Promise<BuildOutcome>>>();

  const sourceOf = (tree: SourceTree, view: SourceView = {}): ViewedSource => {
    const views = sources.get(tree) ?? new Map<string, ViewedSource>();
    sources.set(tree, views);
    const key = JSON.stringify([view.ignore, view.sparseCheckout]);
    const source = views.get(key) ?? sourceView(tree, view);
    views.set(key, source);
    return source;
  };

  /** The outcome, from what runs already where it is the same. */
  const outcomeOf = ({ tree, view, spec }: BuildRequest): Promise<BuildOutcome> => {
    if (view?.includes === true) {
      const reason = "its source includes other sources, which lie elsewhere";
      return Promise.resolve({ kind: "notJudged", reason });
    }
    const source = sourceOf(tree, view);
    const builds = known.get(source) ?? new Map<string, Promise<BuildOutcome>>();
    known.set(source, builds);
    const path = normalFolder(spec.path);
    const fields = buildSpec(spec);
    const key = JSON.stringify([path, fields]);
    let found = builds.get(key);
    if (found === undefined) builds.set(key, (found = oneBuild(place, source, path, fields)));
    return found;
  };

  return {
    async build(requests) {
      const outcomes = requests.map(outcomeOf);
      if (onProgress !== undefined) await told(new Set(outcomes), onProgress);
      const all = await Promise.all(outcomes);
      await store.sweep();
      return all.map((outcome, index) => withCommonMetadata(outcome, requests[index]!.spec as PlainMap));
    },
    substitute: (built, how) => substituted(engine, built, how),
    close: () => engine.close(),
  };
}

/** Says how far it is, each time that one ends. */
async function told(
  all: ReadonlySet<Promise<unknown>>,
  say: (done: number, of: number) => void,
): Promise<void> {
  let done = 0;
  await Promise.all([...all].map((one) => one.then(() => say(++done, all.size))));
}
