import { showNames } from "../../values/show.ts";
import type { SetJudgement } from "../judgement.ts";
import { isKind, locate } from "../objects.ts";
import { type BuiltObject, objectsOf, type Subject } from "../subject.ts";

/** `targetNamespace` also sets the name of every Namespace of the set. */
export const renamedNamespace: SetJudgement = {
  name: "renamed-namespace",
  severity: "warning",
  finds:
    "`targetNamespace` renames a Namespace of the set, so that the set owns the target and deletes it when it is removed: " +
    "an error where the target is `flux-system`, and where two Namespaces would become one, which cannot be built.",
  judge(subject) {
    const target = subject.set.spec["targetNamespace"];
    if (typeof target !== "string" || target === "") return [];
    const namespaces = namespacesOf(subject);
    const renamed = namespaces.filter(({ name }) => name !== target);
    if (renamed.length === 0) return [];
    const which = showNames(renamed.map(locate), 3);
    const apart = "move Namespaces to a set without targetNamespace";
    const field = ["targetNamespace"];
    if (becomeOne(subject))
      return [
        {
          field,
          severity: "error",
          message: `makes ${namespaces.length} Namespaces one, ${target} (${which}), so Flux cannot build the set; ${apart}`,
        },
      ];
    const owns = `renames ${which} to ${target}, so removing the set deletes Namespace ${target} with everything in it`;
    return target === "flux-system"
      ? [{ field, severity: "error", message: `${owns}, Flux itself too; ${apart}` }]
      : [{ field, message: `${owns}; ${apart}, or name it ${target} in the manifest` }];
  },
};

/** Whether the set's namespace gives several Namespaces one name. */
export function becomeOne(subject: Subject): boolean {
  return subject.set.spec["targetNamespace"] !== undefined && namespacesOf(subject).length > 1;
}

function namespacesOf({ bare }: Subject): BuiltObject[] {
  return objectsOf(bare).filter((object) => isKind(object, "", "Namespace"));
}
