/**
 * The configured reranker, or the host's own. Somebody waits for the search, so nothing is tried twice; a service that
 * refuses its key is left alone for a while, as models are.
 */
import { RERANK_PROVIDERS, type RerankProvider } from "../../config/rerank-providers.ts";
import type { Config } from "../../config/schema.ts";
import { PalimpsestError } from "../../errors.ts";
import type { Call } from "../call.ts";
import { type CircuitSettings, guardCall, type ModelSurroundings } from "../guard-call.ts";
import { callReranker, type RerankAccess, type RerankRequest, type RerankResult } from "./call-reranker.ts";
import { dashscope } from "./formats/dashscope.ts";
import { jina } from "./formats/jina.ts";
import { pinecone } from "./formats/pinecone.ts";
import { siliconflow } from "./formats/siliconflow.ts";
import { tei } from "./formats/tei.ts";
import { voyage } from "./formats/voyage.ts";
import { callHostReranker, HOST_RERANKER } from "./host-reranker.ts";
import { rankInBatches } from "./rank-in-batches.ts";
import type { HostRerank, Rerank } from "./rerank.ts";
import type { RerankFormat } from "./rerank-format.ts";

type RerankerSettings = CircuitSettings &
  Pick<Config, "rerankProvider" | "rerankModel" | "rerankEndpoint" | "rerankApiKey" | "rerankTimeoutMs">;

interface RerankerSurroundings extends ModelSurroundings {
  /** Takes the place of whatever is configured. */
  readonly host?: HostRerank | null;
}

const FORMATS: Readonly<Record<RerankProvider, RerankFormat>> = {
  jina,
  siliconflow,
  voyage,
  pinecone,
  dashscope,
  tei,
};

/** Null when results stay in their order. */
export function openReranker(settings: RerankerSettings, around: RerankerSurroundings): Rerank | null {
  const { host } = around;
  const guard = (call: Call<RerankRequest, RerankResult>, model: string) =>
    guardCall(call, {
      model,
      timeoutMs: settings.rerankTimeoutMs,
      timeoutSetting: "rerankTimeoutMs",
      retries: 0,
      settings,
      around,
      window: null,
    });
  if (host !== undefined && host !== null)
    return rankInBatches(guard(callHostReranker(host, around), HOST_RERANKER), Number.POSITIVE_INFINITY);
  const { rerankProvider: provider } = settings;
  if (provider === "none") return null;
  const access = accessOf(provider, settings, around);
  const format = FORMATS[provider];
  const call = refusingWithoutKey(callReranker(access, format, around), provider, access);
  return rankInBatches(guard(call, access.name), format.mostDocuments);
}

function accessOf(
  provider: RerankProvider,
  { rerankModel, rerankEndpoint, rerankApiKey }: RerankerSettings,
  { keys }: RerankerSurroundings,
): RerankAccess {
  const usual = RERANK_PROVIDERS[provider];
  const model = rerankModel ?? usual.model;
  const endpoint = rerankEndpoint ?? usual.endpoint;
  if (endpoint === null)
    throw new PalimpsestError("config-invalid", `${provider} needs rerankEndpoint, its address`);
  const name = model === null ? provider : `${provider}/${model}`;
  return { name, endpoint, model, apiKey: rerankApiKey ?? keys[provider] ?? null };
}

/** Refused here: the service would only say so less clearly. */
function refusingWithoutKey(
  call: Call<RerankRequest, RerankResult>,
  provider: RerankProvider,
  { apiKey }: RerankAccess,
): Call<RerankRequest, RerankResult> {
  const [variable] = RERANK_PROVIDERS[provider].keyVariables;
  if (apiKey !== null || variable === undefined) return call;
  return async () => {
    throw new PalimpsestError("model-authentication", `no API key for ${provider}`, {
      advice: `Set ${variable}, or rerankApiKey.`,
    });
  };
}
