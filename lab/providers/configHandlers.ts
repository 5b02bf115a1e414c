import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { CheckRequest, ConfigureRequest, DiffRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { detailedDiff, topLevelKey } from "./detailedDiff.ts";
import { checkResponse } from "./resourceHandlers.ts";
import type { StandIn } from "./standIn.ts";
import { fromStruct } from "./struct.ts";

const { DiffChanges } = messages.DiffResponse;

/** The calls about a provider's own configuration. */
export function configHandlers(standIn: StandIn) {
  return {
    checkConfig(request: CheckRequest) {
      const news = fromStruct(request.getNews());
      const checked = standIn.checkConfig?.(news.plain) ?? { inputs: news.plain, failures: [] };
      return checkResponse(checked, news.secrets);
    },

    diffConfig(request: DiffRequest) {
      const before = fromStruct(request.getOldInputs()).plain;
      const after = fromStruct(request.getNews()).plain;
      const changed = new Set([...detailedDiff(before, after).keys()].map(topLevelKey));
      const response = new messages.DiffResponse();
      response.setChanges(changed.size === 0 ? DiffChanges.DIFF_NONE : DiffChanges.DIFF_SOME);
      response.setDiffsList([...changed]);
      response.setReplacesList([...(standIn.configReplacement?.(before, after) ?? [])]);
      return response;
    },

    configure(request: ConfigureRequest, peer: string) {
      standIn.configure?.(peer, fromStruct(request.getArgs()).plain);
      const response = new messages.ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    },
  };
}
