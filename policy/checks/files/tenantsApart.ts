import { fluxNamespace } from "../../../fleet/model.ts";
import { tenantOf } from "../../../fleet/resolveTenants.ts";
import { asList, asMap, asText } from "../../../values/maps.ts";
import { namespaceOf } from "../../committedFiles.ts";
import { folderPolicy, type PlacedObject } from "../../filePolicy.ts";

const rbac = "rbac.authorization.k8s.io";

/** What Arcflux writes for tenants keeps them apart, and nothing else in the files gives them more. */
export const tenantsApart = folderPolicy({
  name: "tenants-apart",
  description: "A tenant's account has rights in the tenant's namespaces alone, and its sets wait for it.",
  why: "An account with more than its namespaces reaches the secrets of other tenants and of the platform.",
  check: (objects) => objects.flatMap((at) => (faultOf(at) ?? []).map((fault) => ({ at, fault }))),
});

function faultOf({
  path,
  object: { kind, group: apiGroup, name, spec, whole },
}: PlacedObject): string[] | undefined {
  if (apiGroup === rbac && (kind === "ClusterRoleBinding" || kind === "RoleBinding")) {
    const group = everyoneAmong(whole["subjects"]);
    if (group !== undefined)
      return [`it gives rights to ${group}, tenants' accounts among them; name one account in its place.`];
    const account = tenantAmong(whole["subjects"]);
    if (account === undefined) return undefined;
    const tenant = tenantOf(account)!;
    if (kind === "ClusterRoleBinding")
      return [
        `it gives ${account} rights in all namespaces; bind it in namespaces of tenant '${tenant}' alone.`,
      ];
    const namespace = namespaceOf(whole);
    return path.endsWith(`tenants/${tenant}/namespace-${namespace}.yaml`)
      ? undefined
      : [
          `it gives ${account} rights in namespace '${namespace}'; add it to tenants.${tenant}.namespaces, or drop it.`,
        ];
  }
  if (kind !== "Kustomization" || apiGroup !== "kustomize.toolkit.fluxcd.io") return undefined;
  const account = asText(spec["serviceAccountName"]);
  if (account === undefined || tenantOf(account) === undefined) return undefined;
  const waits = asList(spec["dependsOn"]).some((one) => asMap(one)["name"] === account);
  return waits
    ? undefined
    : [
        `it is applied as '${account}' and does not depend on it, so '${name}' may come before its account; write tenant: ${tenantOf(account)} on the set.`,
      ];
}

const asUser = `system:serviceaccount:${fluxNamespace}:`;

/** Groups that every account of Flux's namespace is in. */
const everyone = [
  "system:authenticated",
  "system:serviceaccounts",
  `system:serviceaccounts:${fluxNamespace}`,
];

function everyoneAmong(subjects: unknown): string | undefined {
  return asList(subjects)
    .map((subject) => asMap(subject))
    .flatMap(({ kind, name }) => (kind === "Group" ? (asText(name) ?? "") : []))
    .find((name) => everyone.includes(name));
}

function tenantAmong(subjects: unknown): string | undefined {
  return asList(subjects)
    .map((subject) => asMap(subject))
    .map(({ kind, name, namespace }) =>
      kind === "ServiceAccount" && namespace === fluxNamespace
        ? (asText(name) ?? "")
        : // The same account as a user.
          kind === "User" && asText(name)?.startsWith(asUser) === true
          ? `${name as string}`.slice(asUser.length)
          : "",
    )
    .find((name) => tenantOf(name) !== undefined);
}
