import type { ClusterSet } from "../fleet/model.ts";
import type { ClusterState, PartState } from "./model.ts";
import { shortRevision } from "./revision.ts";

/** One step from the fleet file to the cause, in words; those below it are what it waits for. */
export interface WhyStep {
  readonly text: string;
  readonly next?: string;
}

/**
 * Why a set is as it is: what it should run, what Flux says, and down the chain of what it waits for, each once. `sets`
 * are those of the cluster as the fleet file has them.
 */
export function whySteps(state: ClusterState, sets: readonly ClusterSet[], set: string): WhyStep[] {
  const { wanted, source } = state;
  const steps: WhyStep[] = [
    {
      text: `${state.cluster} follows ${wanted.branch}${wanted.commit === undefined ? "" : ` at ${wanted.commit.slice(0, 7)}`}`,
    },
  ];
  if (source === "git" || state.word === "offline") {
    return [...steps, { text: `${state.cluster} is ${state.word}: ${state.reason}` }];
  }
  for (const part of state.others) if (part.word !== "ready") steps.push(step(part, part.kind));
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const part = state.sets.find((each) => each.name === name);
    if (part === undefined) {
      steps.push({ text: `${name} is not a set of the fleet file: look at it on the cluster` });
      return;
    }
    steps.push(step(part, "set"));
    if (part.word !== "held back") return;
    for (const { name: other, namespace } of sets.find((each) => each.name === name)?.dependsOn ?? []) {
      if (namespace === undefined || namespace === "flux-system") visit(other);
    }
  };
  visit(set);
  return steps;
}

function step({ name, word, reason, meaning, next, revision, since }: PartState, kind: string): WhyStep {
  const runs = revision === undefined ? "" : `, runs ${shortRevision(revision)}`;
  const time = since === undefined ? "" : ` since ${since.slice(0, 16).replace("T", " ")}`;
  const because = [reason, meaning].filter((text) => text !== undefined).join(". ");
  return {
    text: `${kind} ${name} is ${word}${time}${runs}${because === "" ? "" : `: ${because}`}`,
    ...(next !== undefined && { next }),
  };
}

/** Objects that a failing health check names: `[Deployment/default/web status: 'InProgress']`. */
export function unhealthyObjects(
  reason: string | undefined,
): { kind: string; namespace: string; name: string }[] {
  return [...(reason ?? "").matchAll(/([A-Z]\w+)\/([\w.-]+)\/([\w.-]+) (?:status|not found|dry-run)/g)].map(
    ([, kind = "", namespace = "", name = ""]) => ({ kind, namespace, name }),
  );
}
