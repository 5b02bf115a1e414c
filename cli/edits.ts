import { withoutEntries } from "../authoring/index.ts";
import type { Path } from "../fleet/finding.ts";
import type { ClusterEntry } from "../fleet/schema/layer.ts";
import type { LoadedFleet } from "./fleetCommand.ts";

/** The file of the fleet that holds what is at a path, be it an included one; else the main one. */
export function fileOf({ origin }: LoadedFleet, path: Path, main: string): string {
  return origin?.documents.position(path, "key").file ?? main;
}

/** Changes to files of the fleet, each by its path. */
export class Edits extends Map<string, (text: string) => string> {
  readonly #loaded: LoadedFleet;
  readonly #main: string;

  constructor(loaded: LoadedFleet, main: string) {
    super();
    this.#loaded = loaded;
    this.#main = main;
  }

  fileOf(path: Path): string {
    return fileOf(this.#loaded, path, this.#main);
  }

  at(path: Path, change: (text: string) => string): void {
    this.in(this.fileOf(path), change);
  }

  in(file: string, change: (text: string) => string): void {
    const before = this.get(file) ?? ((text: string) => text);
    this.set(file, (text) => change(before(text)));
  }

  /** Entries that go, those of one file at once. */
  without(paths: readonly (readonly string[])[]): void {
    for (const [file, those] of Map.groupBy(paths, (path) => this.fileOf(path)))
      this.in(file, (text) => withoutEntries(text, those));
  }
}

export type Section = "sets" | "apps";

/** Every place that declares a set or an app, or takes it. */
export function placesOf({ origin }: LoadedFleet, section: Section, name: string): string[][] {
  if (origin === undefined) return [];
  const layers = (["stages", "groups", "clusters"] as const).flatMap((layer) =>
    Object.entries(origin.file[layer]).flatMap(([key, entry]) =>
      Object.hasOwn((entry as Pick<ClusterEntry, Section>)[section] ?? {}, name)
        ? [[layer, key, section, name]]
        : [],
    ),
  );
  const shared = section === "sets" && Object.hasOwn(origin.file.sets, name) ? [["sets", name]] : [];
  return [...shared, ...layers];
}
