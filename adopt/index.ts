/** A cluster that Flux runs on already, step by step to its new bootstrap: the only door to adopt/. */

export { argumentsOf, type InAzure, readAzure } from "./azure.ts";
export { type ByHand, commandsOf } from "./commands.ts";
export { doStep, type World } from "./doStep.ts";
export { nextStep, type Step } from "./nextStep.ts";
export { type FluxObjects, type Stock, stockOf } from "./stock.ts";
export { whichFlux } from "./whichFlux.ts";
