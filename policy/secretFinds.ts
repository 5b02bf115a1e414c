interface Find {
  readonly key: string;
  readonly kind: string;
  readonly places: string[];
}

/** Secrets found in fields. A variable of a cluster is in the file of each of its sets, and is told once. */
export class SecretFinds {
  readonly #finds = new Map<string, Find>();

  /** Notes a field, the kind of secret it holds, and where: `Kustomization 'pos' in file 'flux/pos.yaml'`. */
  add(key: string, kind: string, place: string): void {
    const id = JSON.stringify([key, kind]);
    const find = this.#finds.get(id) ?? { key, kind, places: [] };
    find.places.push(place);
    this.#finds.set(id, find);
  }

  /** One message for each field. */
  messages(): string[] {
    return [...this.#finds.values()].map(({ key, kind, places: [first = "", ...others] }) => {
      const more = others.length === 0 ? "" : ` and in ${others.length} more`;
      return (
        `${key} of ${first}${more} holds ${kind}. Move it into a Secret on the cluster, refer to that ` +
        "(variables: postBuild.substituteFrom), and replace it if it was ever pushed."
      );
    });
  }
}
