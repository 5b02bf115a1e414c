import { clusterKeySecret } from "../fleet/resolveSecrets.ts";
import { asMap } from "../values/maps.ts";
import { showNames } from "../values/show.ts";
import { sopsRecipients } from "../values/sopsRecipients.ts";
import type { Verdict } from "./judgeFleet.ts";
import type { Severity } from "./judgement.ts";
import { locate } from "./objects.ts";
import { type ClusterSubject, objectsOf } from "./subject.ts";

/** What is said of one file, in all clusters that take it. */
interface Said {
  readonly path: Verdict["path"];
  readonly clusters: Set<string>;
  readonly say: (clusters: ReadonlySet<string>) => string;
}

/** Who can read encrypted files is a question of the whole fleet. */
export const recipients = {
  name: "sops-recipient",
  severity: "warning" as Severity,
  finds:
    "A SOPS file is encrypted for a key of age that no cluster and no entry of `recipients` has, or not for a cluster whose set " +
    "applies it. Only said where clusters have a `recipient`.",

  judgeFleet(clusters: readonly ClusterSubject[]): Verdict[] {
    const said = new Map<string, Said>();
    const add = (key: string, path: Verdict["path"], cluster: string, say: Said["say"]): void => {
      const known = said.get(key) ?? { path, clusters: new Set<string>(), say };
      known.clusters.add(cluster);
      said.set(key, known);
    };
    for (const { cluster, subjects } of clusters) {
      const { knownRecipients: known, recipient, name } = cluster;
      if (known === undefined) continue;
      for (const { set, build, isBootstrap } of subjects) {
        const path = ["clusters", name, ...(isBootstrap ? [] : ["sets", set.name])];
        const own = asMap(asMap(set.spec["decryption"])["secretRef"])["name"] === clusterKeySecret;
        for (const object of objectsOf(build)) {
          const keys = sopsRecipients(object.value);
          if (keys.length === 0) continue;
          const file = locate(object);
          for (const key of keys.filter((one) => !known.has(one)))
            add(
              `${file} ${key}`,
              path,
              name,
              () =>
                `${file} is encrypted for ${key} too, which no cluster has; take it out (sops rotate -i --rm-age), or add it to \`recipients\``,
            );
          if (own && recipient !== undefined && !keys.includes(recipient))
            add(
              `${file} lacks`,
              path,
              name,
              (all) =>
                `${file} is not encrypted for the key of ${showNames(all, 3)}, so Flux cannot decrypt it there; add it (sops rotate -i --add-age)`,
            );
        }
      }
    }
    return [...said.values()].map(({ path, clusters, say }) => ({
      name: recipients.name,
      severity: recipients.severity,
      path,
      message: say(clusters),
    }));
  },
};
