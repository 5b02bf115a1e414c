import {
  type ArmGet,
  armReader,
  type AzureAccess,
  azureNext,
  azureWords,
  type AzureSubscription,
  inParallel,
  onlySubscription,
} from "../../status/index.ts";
import { nearest } from "../../values/nearest.ts";
import { regionKey } from "../../values/region.ts";
import { showNames } from "../../values/show.ts";
import type { Checkup } from "../checkup.ts";
import { type Login, loginCheckup, readLogin } from "./login.ts";
import { actionsOf, type GroupNeeds, providersOf } from "./needs.ts";
import { missingActions, type Permission } from "./permissions.ts";

/** Groups that are asked about at once. */
const parallel = 8;

const authorizationVersion = "2022-04-01";
const resourcesVersion = "2021-04-01";

/** Asks Azure for the login, subscriptions, resource providers, regions and roles that these needs take. */
export async function checkAzure(
  needs: readonly GroupNeeds[],
  access: AzureAccess,
  signal: AbortSignal,
): Promise<readonly Checkup[]> {
  let login: Login | undefined;
  let subscription: Subscription | undefined;
  let get: ArmGet;
  try {
    login = await readLogin(access);
    get = await armReader(access, signal);
    subscription = await readSubscription(needs, get);
  } catch (error) {
    const [why, next] = [azureWords(error), azureNext(error)];
    const { statusCode } = error as { readonly statusCode?: number };
    const about = "Azure";
    // An answer of Azure's, such as a subscription that is not there, is no outage.
    if (statusCode === 403 || statusCode === 404)
      return [{ about, state: "error", text: why, mend: `${next}, or set ARM_SUBSCRIPTION_ID` }];
    return [{ about, state: "unknown", text: `could not be asked: ${why}`, mend: next }];
  }
  if (subscription === undefined) return [loginCheckup(login), noSubscription];
  const { id } = subscription;
  const ids = new Set(needs.map((one) => one.subscription ?? id));
  const providers = await Promise.all(
    [...ids].flatMap((each) => providersOf(needs).map((name) => checkProvider(name, each, needs, get))),
  );
  const roles: Checkup[] = [];
  await inParallel(needs, parallel, async (one) => {
    roles.push(...(await checkRoles(one, one.subscription ?? id, login, get)));
  });
  return [loginCheckup(login), subscriptionCheckup(subscription), ...providers.flat(), ...roles];
}

interface Subscription {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

const noSubscription: Checkup = {
  about: "subscription",
  state: "error",
  text: "the login reaches several subscriptions or none, and nothing names the one to use",
  mend: "Set ARM_SUBSCRIPTION_ID, or pulumi config set azure-native:subscriptionId",
};

/** The one that is named, else the only one there is; undefined where nothing decides. */
async function readSubscription(
  needs: readonly GroupNeeds[],
  get: ArmGet,
): Promise<Subscription | undefined> {
  const named = needs.find((one) => one.subscription !== undefined)?.subscription;
  const found =
    named === undefined
      ? await onlySubscription(get)
      : await get<AzureSubscription>(`/subscriptions/${named}`, "2022-12-01");
  if (found === undefined) return undefined;
  const { subscriptionId: id, displayName: name = id, state = "Enabled" } = found;
  return { id, name, state };
}

function subscriptionCheckup({ id, name, state }: Subscription): Checkup {
  const about = "subscription";
  if (state === "Enabled") return { about, state: "ok", text: `${name} (${id})` };
  return {
    ...{ about, state: "error", text: `${name} (${id}) is ${state}, so that nothing in it can be changed` },
    mend: "Enable it again in the Azure portal, under Subscriptions",
  };
}

interface ProviderBody {
  readonly registrationState?: string;
  readonly resourceTypes?: readonly {
    readonly resourceType: string;
    readonly locations?: readonly string[];
  }[];
}

async function checkProvider(
  name: string,
  subscription: string,
  needs: readonly GroupNeeds[],
  get: ArmGet,
): Promise<Checkup[]> {
  const about = "resource provider";
  let body: ProviderBody;
  try {
    body = await get<ProviderBody>(`/subscriptions/${subscription}/providers/${name}`, resourcesVersion);
  } catch (error) {
    return [{ about, state: "unknown", text: `${name}: ${azureWords(error)}`, mend: azureNext(error) }];
  }
  const { registrationState = "NotRegistered", resourceTypes = [] } = body;
  const registered: Checkup =
    registrationState === "Registered"
      ? { about, state: "ok", text: `${name} is registered` }
      : {
          ...{ about, state: "error", text: `${name} is ${registrationState}, not Registered` },
          mend: `az provider register --namespace ${name} --subscription ${subscription} --wait`,
        };
  if (name !== "Microsoft.Kubernetes") return [registered];
  const offered = resourceTypes.find(({ resourceType }) => resourceType === "connectedClusters")?.locations;
  return [registered, ...(offered === undefined ? [] : regionCheckups(needs, offered))];
}

function regionCheckups(needs: readonly GroupNeeds[], offered: readonly string[]): Checkup[] {
  const known = new Set(offered.map(regionKey));
  const wanted = [...new Set(needs.flatMap(({ locations }) => locations))];
  return wanted.map((location): Checkup => {
    const about = "region";
    if (known.has(regionKey(location))) return { about, state: "ok", text: `${location} offers Azure Arc` };
    const near = nearest(regionKey(location), known);
    const text = `${location} does not offer Azure Arc for Kubernetes; ${known.size} regions do`;
    return {
      about,
      state: "error",
      text,
      mend: `Write another, such as arc: { location: ${near ?? "westeurope"} }`,
    };
  });
}

async function checkRoles(
  needs: GroupNeeds,
  subscription: string,
  login: Login | undefined,
  get: ArmGet,
): Promise<Checkup[]> {
  const { resourceGroup } = needs;
  const scope = `/subscriptions/${subscription}/resourceGroups/${resourceGroup}`;
  const path = `${scope}/providers/Microsoft.Authorization/permissions`;
  const about = "roles";
  let permissions: readonly Permission[];
  try {
    ({ value: permissions = [] } = await get<{ value?: readonly Permission[] }>(path, authorizationVersion));
  } catch (error) {
    const { statusCode } = error as { readonly statusCode?: number };
    if (statusCode !== 404)
      return [
        { about, state: "unknown", text: `${resourceGroup}: ${azureWords(error)}`, mend: azureNext(error) },
      ];
    return [
      {
        ...{ about: "resource group", state: "error", text: `${resourceGroup} does not exist` },
        mend: `az group create --name ${resourceGroup} --location ${needs.locations[0] ?? "westeurope"} --subscription ${subscription}`,
      },
    ];
  }
  const { update, destroy } = actionsOf(needs);
  const [now, later] = [missingActions(permissions, update), missingActions(permissions, destroy)];
  const who =
    login?.objectId === undefined
      ? "--assignee YOU"
      : `--assignee-object-id ${login.objectId} --assignee-principal-type ${login.principal}`;
  const mend = `az role assignment create ${who} --role Contributor --scope ${scope}`;
  if (now.length > 0)
    return [
      { about, state: "error", text: `${resourceGroup}: the login may not ${showNames(now, 4)}`, mend },
    ];
  if (later.length > 0)
    return [
      {
        ...{ about, state: "warning", mend },
        text: `${resourceGroup}: enough to update; to destroy or replace, ${showNames(later, 3)} is missing`,
      },
    ];
  return [{ about, state: "ok", text: `${resourceGroup}: the login may do what updates need` }];
}
