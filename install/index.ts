/** Flux itself, on clusters that no one else installs it on: the only door to install/. */

export { componentFiles, componentsFolder } from "./componentFiles.ts";
export { InstallError } from "./installError.ts";
export { installFlux } from "./installFlux.ts";
export { fetchText, loadManifests, type ManifestsFault, type ManifestsWorld } from "./loadManifests.ts";
export { type FluxManifests, readManifests } from "./manifests.ts";
export { keepManifests, keptManifests, sha256Of } from "./manifestsCache.ts";
export { missingOfFlux } from "./missing.ts";
export { othersFlux } from "./others.ts";
export { readText } from "./readText.ts";
export { removeFlux } from "./removeFlux.ts";
