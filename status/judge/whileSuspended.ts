import type { Cluster } from "../../fleet/model.ts";
import type { FluxObject } from "../fluxObject.ts";
import type { Note, PartState } from "../model.ts";
import type { Word } from "../words.ts";

/** Words of what does not come because nothing reaches the cluster. */
const waiting: readonly Word[] = ["behind", "progressing", "held back", "waiting for promotion"];

/** A part of a cluster whose fleet file suspends it, once that has arrived there: what waits is suspended, what fails fails. */
export function whileSuspended<Part extends PartState>(part: Part, text: string | undefined): Part {
  if (text === undefined) return part;
  // Who suspended it on the cluster, and how to resume it there, is Azure's agent or the update, and no way on.
  if (part.word !== "suspended" && !waiting.includes(part.word)) return part;
  return { ...without(part, "meaning", "next"), word: "suspended", reason: text } as Part;
}

/** What the fleet file says of a suspended cluster, where its bootstrap is suspended by now. */
export function suspensionOf(cluster: Cluster, objects: readonly FluxObject[]): string | undefined {
  return hasArrived(cluster, objects) ? textOf(cluster) : undefined;
}

/** Says that a suspension is on its way. */
export function suspensionNote(cluster: Cluster, objects: readonly FluxObject[]): Note[] {
  const text = textOf(cluster);
  if (text === undefined || cluster.suspension?.through === "git" || hasArrived(cluster, objects)) return [];
  return [
    {
      text: `${text}; the bootstrap is not suspended yet`,
      next: "Run pulumi up; where Azure does not answer, write `through: git` beside the reason.",
    },
  ];
}

function hasArrived({ config, suspension }: Cluster, objects: readonly FluxObject[]): boolean {
  if (suspension === undefined || suspension.through === "git") return false;
  return objects.some(
    ({ kind, name, suspended }) => kind === "Kustomization" && name === `${config}-bootstrap` && suspended,
  );
}

function textOf({ suspension }: Cluster): string | undefined {
  if (suspension === undefined) return undefined;
  const { reason, until } = suspension;
  return `suspended in the fleet file: ${reason}${until === undefined ? "" : `, until ${until}`}`;
}

function without(part: PartState, ...fields: readonly (keyof PartState)[]): Partial<PartState> {
  return Object.fromEntries(Object.entries(part).filter(([key]) => !fields.some((field) => field === key)));
}
