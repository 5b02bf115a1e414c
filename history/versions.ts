import { asList, asMap, asText, isMap, type YamlMap } from "../values/maps.ts";

/** What of manifests is a version: by what it is the version of, such as `chart pos` or `image registry/web`. */
export type Versions = ReadonlyMap<string, Version>;

export interface Version {
  readonly text: string;
  /** Whether it stands for more than one: a range, a branch, `latest`. */
  readonly open?: true;
}

/** The versions in some objects: charts, images, refs of sources, images of kustomize configurations. */
export function versionsIn(objects: readonly YamlMap[]): Versions {
  const found = new Map<string, Version>();
  for (const object of objects) {
    const spec = asMap(object["spec"]);
    const name = asText(asMap(object["metadata"])["name"]) ?? "";
    const kind = asText(object["kind"]) ?? "";
    if (kind === "HelmRelease") chart(name, spec, found);
    else if (/^(Git|OCI)Repository$/.test(kind)) ref(name, spec, found);
    else if (kind === "Kustomization") replaced(object, found);
    containers(object, found);
  }
  return found;
}

function chart(release: string, spec: YamlMap, found: Map<string, Version>): void {
  const given = asMap(asMap(spec["chart"])["spec"]);
  const version = asText(given["version"]);
  // A patch that leaves the chart as it is says nothing of its version.
  if (version === undefined && asText(given["chart"]) === undefined) return;
  const isExact = version !== undefined && /^v?\d+\.\d+\.\d+([-+][\w.+-]+)?$/.test(version);
  found.set(`chart ${release}`, { text: version ?? "the newest", ...(!isExact && { open: true }) });
}

function ref(source: string, spec: YamlMap, found: Map<string, Version>): void {
  const given = asMap(spec["ref"]);
  // Flux takes the first of these that is there.
  const field = ["digest", "commit", "name", "semver", "tag", "branch"].find((one) => asText(given[one]));
  if (field === undefined) return;
  const isOpen = field === "semver" || field === "branch" || given[field] === "latest";
  found.set(`source ${source}`, { text: `${field} ${String(given[field])}`, ...(isOpen && { open: true }) });
}

/** `images` of a kustomize configuration; a Flux Kustomization has them in its spec. */
function replaced(object: YamlMap, found: Map<string, Version>): void {
  for (const image of [...asList(object["images"]), ...asList(asMap(object["spec"])["images"])].map(asMap)) {
    const name = asText(image["newName"]) ?? asText(image["name"]);
    const version = asText(image["digest"]) ?? asText(image["newTag"]);
    if (name !== undefined && version !== undefined) found.set(`image ${name}`, versionOf(version));
  }
}

function containers(value: unknown, found: Map<string, Version>): void {
  if (Array.isArray(value)) for (const item of value) containers(item, found);
  else if (isMap(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === "containers" || key === "initContainers")
        for (const container of asList(inner)) {
          const image = asText(asMap(container)["image"]);
          if (image !== undefined) found.set(...imageOf(image));
        }
      else containers(inner, found);
    }
  }
}

function imageOf(image: string): [string, Version] {
  const [, name = image, digest] = /^(.*?)@(.+)$/.exec(image) ?? [];
  // A colon before the last slash is that of a port.
  const [, repository = name, tag = "latest"] = /^(.*?)(?::([^/:]+))?$/.exec(name) ?? [];
  return [`image ${repository}`, versionOf(digest ?? tag)];
}

function versionOf(version: string): Version {
  return { text: version, ...(version === "latest" && { open: true }) };
}
