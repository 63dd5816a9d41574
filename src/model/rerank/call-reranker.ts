/** One request to a reranking service: no time limit, no record; those are decorators. Throws our errors only. */
import type { Clock } from "../../types.ts";
import type { Answered, Asked, Call } from "../call.ts";
import { usageOf } from "../call-model.ts";
import { type FailureAdvice, modelFailure, unavailable } from "../model-failure.ts";
import { fetchWithoutRedirects } from "../provider-options.ts";
import { valueAt } from "../value-at.ts";
import { cancelled, refuseCancelled } from "../wait.ts";
import { readRanking } from "./read-ranking.ts";
import type { RankedDocument } from "./rerank.ts";
import type { RerankFormat } from "./rerank-formats.ts";

export interface RerankAccess {
  /** Its name in logs and errors: `provider/model`. */
  readonly name: string;
  readonly endpoint: string;
  readonly model: string | null;
  readonly apiKey: string | null;
}

export interface RerankRequest extends Asked {
  readonly purpose: "reranking";
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN: number;
}

export interface RerankResult extends Answered {
  readonly ranking: readonly RankedDocument[];
}

const ADVICE: FailureAdvice = {
  temporary: "Results keep their order. Try again later.",
  lasting: "Check rerankModel, the account and rerankEndpoint; see docs/guide/models.md.",
};

export function callReranker(
  access: RerankAccess,
  format: RerankFormat,
  { clock }: { readonly clock: Clock },
): Call<RerankRequest, RerankResult> {
  return async (request) => {
    refuseCancelled(request.signal);
    try {
      const answer = await post(access, format, request);
      return resultOf(answer, request, format, access.name);
    } catch (error) {
      if (request.signal?.aborted === true) throw cancelled();
      const call = { model: access.name, apiKey: access.apiKey, now: clock(), advice: ADVICE };
      throw modelFailure(error, call);
    }
  };
}

async function post(access: RerankAccess, format: RerankFormat, request: RerankRequest): Promise<unknown> {
  const { query, documents, topN, signal } = request;
  const response = await fetchWithoutRedirects(access.endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...(access.apiKey === null ? {} : format.headers(access.apiKey)),
    },
    body: JSON.stringify(format.body({ model: access.model, query, documents, topN })),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw failed("it cannot be reached", { isRetryable: true, cause: error });
  });
  const text = await response.text();
  if (!response.ok) throw refused(response, text);
  return parse(text);
}

/** Errors of the parser are replaced, since they quote the input. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed("its answer is not JSON", { statusCode: 200 });
  }
}

/** An error in the format of the AI SDK, for `modelFailure`. The response may repeat the request, so it is omitted. */
function refused(response: Response, responseBody: string): Error {
  const responseHeaders = Object.fromEntries(response.headers);
  return failed(response.statusText || "refused", {
    statusCode: response.status,
    responseHeaders,
    responseBody,
  });
}

function failed(message: string, facts: object): Error {
  return Object.assign(new Error(message), facts);
}

function resultOf(answer: unknown, request: RerankRequest, format: RerankFormat, name: string): RerankResult {
  const { scoreField, givesLogits } = format;
  const shape = { documents: request.documents.length, scoreField, givesLogits };
  const ranking = readRanking(format.results(answer), shape);
  if (ranking === null)
    throw unavailable(
      `${name} returned no valid ranking`,
      { status: 200, temporary: false, retryAfterMs: null },
      ADVICE.lasting,
    );
  return { ranking, finish: "stop", usage: usageOf(tokensIn(answer), 0, undefined) };
}

function tokensIn(answer: unknown): number | undefined {
  const tokens =
    valueAt(answer, "usage", "total_tokens") ?? valueAt(answer, "meta", "tokens", "input_tokens");
  return typeof tokens === "number" ? tokens : undefined;
}
