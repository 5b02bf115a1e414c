import { Provider } from "@pulumi/azure-native/provider.js";

const known = new Map<string, Provider>();

/** The provider of Azure for one subscription, made once for all clusters in it. It signs in as the default one does. */
export function subscriptionProvider(subscriptionId: string): Provider {
  let provider = known.get(subscriptionId);
  if (provider === undefined)
    known.set(subscriptionId, (provider = new Provider(`azure-${subscriptionId}`, { subscriptionId })));
  return provider;
}
