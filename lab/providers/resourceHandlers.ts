import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import type { Json } from "../azure/json.ts";
import type { Change } from "./detailedDiff.ts";
import { detailedDiff, topLevelKey } from "./detailedDiff.ts";
import type { FaultInjector, Operation } from "../faults.ts";
import type { Checked, ResourceCall, StandIn } from "./standIn.ts";
import { fromStruct, toStruct } from "./struct.ts";
import type { ValuePath } from "./values.ts";

const { DiffChanges } = messages.DiffResponse;
const { Kind } = messages.PropertyDiff;

/** The calls about resources: secrets opened and sealed, faults of `faults.json` before the work. */
export function resourceHandlers(standIn: StandIn, faults: FaultInjector) {
  const fault = async (call: ResourceCall, inputs: Json, operation: Operation): Promise<void> => {
    if (standIn.faultsElsewhere === true) return;
    const names = [call.name, ...standIn.faultNames(call, inputs)];
    await faults.before({ type: call.type, names, operation });
  };

  return {
    async check(request: CheckRequest, peer: string) {
      const news = fromStruct(request.getNews());
      const olds = fromStruct(request.getOlds()).plain;
      const checked = await standIn.check(
        describe(request, peer),
        news.plain,
        olds,
        request.getRandomseed_asU8(),
      );
      return checkResponse(checked, news.secrets);
    },

    diff(request: DiffRequest, peer: string) {
      const before = fromStruct(request.getOldInputs()).plain;
      const after = fromStruct(request.getNews()).plain;
      const changes = detailedDiff(before, after);
      const changed = new Set([...changes.keys()].map(topLevelKey));
      const replacement = standIn.replacement(describe(request, peer), before, after, changed);
      const replaces = replacement.keys.filter((key) => changed.has(key));
      const response = new messages.DiffResponse();
      response.setChanges(changes.size === 0 ? DiffChanges.DIFF_NONE : DiffChanges.DIFF_SOME);
      response.setDiffsList([...changed]);
      response.setReplacesList(replaces);
      response.setDeletebeforereplace(replaces.length > 0 && replacement.deleteFirst);
      response.setHasdetaileddiff(true);
      for (const [path, change] of changes) {
        const kind = kindOf(change, replaces.includes(topLevelKey(path)));
        response.getDetaileddiffMap().set(path, new messages.PropertyDiff().setKind(kind).setInputdiff(true));
      }
      return response;
    },

    async create(request: CreateRequest, peer: string) {
      const call = describe(request, peer);
      const { plain, secrets } = fromStruct(request.getProperties());
      const response = new messages.CreateResponse();
      if (request.getPreview())
        return response.setProperties(toStruct(standIn.previewCreate(call, plain), secrets));
      await fault(call, plain, "create");
      const made = await standIn.create(call, plain, secrets);
      return response
        .setId(made.id)
        .setProperties(toStruct(made.outputs, [...secrets, ...(made.secretOutputs ?? [])]));
    },

    async read(request: ReadRequest, peer: string) {
      const call = describe(request, peer);
      const outputs = fromStruct(request.getProperties());
      const inputs = fromStruct(request.getInputs());
      await fault(call, inputs.plain, "read");
      const found = await standIn.read(call, request.getId(), inputs.plain, outputs.plain);
      const response = new messages.ReadResponse();
      if (found === undefined) return response;
      response.setId(found.id);
      response.setProperties(toStruct(found.outputs, [...outputs.secrets, ...(found.secretOutputs ?? [])]));
      return response.setInputs(toStruct(found.inputs, inputs.secrets));
    },

    async update(request: UpdateRequest, peer: string) {
      const call = describe(request, peer);
      const { plain, secrets } = fromStruct(request.getNews());
      const outputs = fromStruct(request.getOlds());
      const response = new messages.UpdateResponse();
      if (request.getPreview()) {
        return response.setProperties(toStruct(standIn.previewUpdate(call, plain, outputs.plain), secrets));
      }
      await fault(call, plain, "update");
      const made = await standIn.update(call, request.getId(), plain, secrets, outputs.plain);
      return response.setProperties(toStruct(made.outputs, [...secrets, ...(made.secretOutputs ?? [])]));
    },

    async delete(request: DeleteRequest, peer: string) {
      const call = describe(request, peer);
      await fault(call, fromStruct(request.getOldInputs()).plain, "delete");
      await standIn.delete(call, request.getId(), fromStruct(request.getProperties()).plain);
      return new emptyMessages.Empty();
    },
  };
}

/** The answer to `check`, for resources and for a provider's own configuration. */
export function checkResponse(checked: Checked, secrets: readonly ValuePath[]): CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(toStruct(checked.inputs, secrets));
  response.setFailuresList(
    checked.failures.map(({ property, reason }) =>
      new messages.CheckFailure().setProperty(property).setReason(reason),
    ),
  );
  return response;
}

function describe(request: { getUrn(): string; getTimeout?(): number }, peer: string): ResourceCall {
  // urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>
  const [, , types = "", ...rest] = request.getUrn().split("::");
  const seconds = request.getTimeout?.() ?? 0;
  const call = { type: types.split("$").at(-1) ?? "", name: rest.join("::"), peer };
  return seconds > 0 ? { ...call, seconds } : call;
}

function kindOf(change: Change, replaces: boolean) {
  switch (change) {
    case "add":
      return replaces ? Kind.ADD_REPLACE : Kind.ADD;
    case "delete":
      return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
    case "update":
      return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
  }
}
