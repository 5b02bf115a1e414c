/** A cluster that Flux runs on already, step by step to its new bootstrap: the only door to adopt/. */

export { doStep } from "./doStep.ts";
export { commandsOf, nextStep, type Step, steps } from "./nextStep.ts";
export { type FluxObjects, type Stock, stockOf } from "./stock.ts";
