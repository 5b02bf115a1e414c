import { z } from "zod";
import { rules } from "../rules.ts";
import { duration, named, text } from "../values.ts";
import { must, part, reference, word } from "./fields.ts";

const providerTypes = [
  ..."slack discord msteams rocket generic generic-hmac github gitlab gitea giteapullrequestcomment".split(
    " ",
  ),
  ..."bitbucketserver bitbucket azuredevops googlechat googlepubsub webex sentry azureeventhub telegram".split(
    " ",
  ),
  ..."lark matrix opsgenie alertmanager grafana githubdispatch githubpullrequestcomment".split(" "),
  ..."gitlabmergerequestcomment pagerduty datadog nats zulip otel zoom incident.io".split(" "),
];

export const matchLabels = named(rules.labelKey, text(rules.labelValue));

/** Flux's notification Provider and Alert in one, for the clusters that match. */
export const alert = z
  .strictObject({
    match: part(matchLabels, "Labels of the clusters it is for, stage among them. Default: all.", {
      kind: "store",
    }),
    sets: part(z.array(z.string()), "Sets that it reports on. Default: all of a cluster."),
    provider: must(
      z.strictObject({
        type: must(z.enum(providerTypes), "Where notifications go."),
        channel: part(z.string(), "Channel there."),
        username: part(z.string(), "Name that they come from."),
        address: part(z.string(), "Address, where it is not a secret."),
        proxySecretRef: reference("Secret with the address and credentials of a proxy."),
        proxy: part(z.string(), "Address of a proxy without credentials."),
        interval: part(duration(), "How often the provider is checked."),
        timeout: part(duration({ hours: false }), "How long sending may take; without hours."),
        secretRef: reference("Secret with address or token."),
        certSecretRef: reference("Secret with certificates."),
        serviceAccountName: part(word(), "Service account for access without a secret."),
        commitStatusExpr: part(word(), "CEL expression that gives the id of a commit status."),
        suspend: part(z.boolean(), "Whether nothing is sent."),
      }),
      "Fields of Flux's Provider.",
    ),
    eventSeverity: part(z.enum(["info", "error"]), "Least severity that is reported. Default: info."),
    eventMetadata: part(z.record(z.string(), z.string()), "Added to every notification."),
    inclusionList: part(z.array(z.string()), "Regular expressions; only messages that match are sent."),
    exclusionList: part(z.array(z.string()), "Regular expressions; messages that match are not sent."),
    summary: part(z.string().max(255), "Short text about the cluster."),
    suspend: part(z.boolean(), "Whether nothing is reported."),
  })
  .meta({ id: "alert" });
