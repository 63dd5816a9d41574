/**
 * One call for embeddings to one model through the AI SDK: no retry, no time limit, no record; those are decorators.
 * Loads the SDK at the first call, not at creation.
 */
import type { EmbeddingModelMiddleware, embedMany, wrapEmbeddingModel } from "ai";
import type { Provider } from "../../config/providers.ts";
import { PalimpsestError } from "../../errors.ts";
import type { Clock } from "../../types.ts";
import type { Answered, Asked, Call } from "../call.ts";
import { usageOf } from "../call-model.ts";
import { type ModelAccess, refuseMissingKey } from "../model-access.ts";
import { type FailureAdvice, modelFailure } from "../model-failure.ts";
import { optionsOf } from "../provider-options.ts";
import { valueAt } from "../value-at.ts";
import { cancelled, refuseCancelled } from "../wait.ts";
import type { EmbedPurpose } from "./embedder.ts";

export interface EmbedRequest extends Asked {
  readonly purpose: "embedding";
  readonly texts: readonly string[];
  readonly textsAre: EmbedPurpose;
}

export interface EmbedResult extends Answered {
  /** The unchecked response. */
  readonly vectors: unknown;
}

interface EmbeddingCallOptions {
  /** Null: the model's own. */
  readonly dimensions: number | null;
  readonly clock: Clock;
}

type Embedded = Awaited<ReturnType<typeof embedMany>>;

export const EMBEDDING_ADVICE: FailureAdvice = {
  temporary: 'Try again later, or set embeddingModel to "local".',
  lasting: "Check embeddingModel, the account and embeddingBaseUrl; see docs/guide/models.md.",
};

export function callEmbeddingModel(
  access: ModelAccess,
  { dimensions, clock }: EmbeddingCallOptions,
): Call<EmbedRequest, EmbedResult> {
  const { name } = access.model;
  return async (request) => {
    refuseCancelled(request.signal);
    refuseMissingKey(access, "embeddingApiKey");
    try {
      return resultOf(await ask(access, request, dimensions));
    } catch (error) {
      if (request.signal?.aborted === true) throw cancelled();
      throw modelFailure(error, {
        model: name,
        apiKey: access.apiKey,
        now: clock(),
        advice: EMBEDDING_ADVICE,
      });
    }
  };
}

async function ask(
  access: ModelAccess,
  { texts, textsAre, signal }: EmbedRequest,
  dimensions: number | null,
): Promise<Embedded> {
  const { embedMany, wrapEmbeddingModel } = await import("ai");
  const model = await loadEmbeddingModel(access);
  return embedMany({
    model: wrapEmbeddingModel({ model, middleware: WITHOUT_WARNINGS }),
    values: texts.map((text) => markPurpose(text, access.model.model, textsAre)),
    maxRetries: 0,
    // A host's tracing of its own calls must not record conversations that pass through here.
    telemetry: { isEnabled: false },
    providerOptions: {
      google: { taskType: textsAre === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT" },
    },
    ...(dimensions === null ? {} : { dimensions }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
}

/** The SDK prints warnings, which a library must not do. */
const WITHOUT_WARNINGS: EmbeddingModelMiddleware = {
  specificationVersion: "v4",
  wrapEmbed: async ({ doEmbed }) => ({ ...(await doEmbed()), warnings: [] }),
};

function resultOf({ embeddings, usage, responses }: Embedded): EmbedResult {
  const tokens = Number.isFinite(usage.tokens) ? usage.tokens : undefined;
  const cost = valueAt(responses?.[0]?.body, "usage", "cost");
  return { vectors: embeddings, finish: "stop", usage: usageOf(tokens, 0, cost) };
}

type Marks = Readonly<Record<EmbedPurpose, string>>;

const SENTENCE_FOR_SEARCH: Marks = {
  query: "Represent this sentence for searching relevant passages: ",
  passage: "",
};

/** Model families, by name, that need a prefix to distinguish queries from passages. */
const FAMILIES: readonly (readonly [RegExp, Marks])[] = [
  [/nomic-embed/i, { query: "search_query: ", passage: "search_document: " }],
  [/(^|[/_-])e5-(small|base|large)(?!.*instruct)/i, { query: "query: ", passage: "passage: " }],
  [/mxbai-embed-large|snowflake-arctic-embed/i, SENTENCE_FOR_SEARCH],
  [/bge-(small|base|large)-en/i, SENTENCE_FOR_SEARCH],
];

function markPurpose(text: string, model: string, purpose: EmbedPurpose): string {
  const marks = FAMILIES.find(([pattern]) => pattern.test(model))?.[1];
  return marks === undefined ? text : marks[purpose] + text;
}

/** Creates the AI SDK's object for an embedding model. Each provider's package is imported when it is first called. */
type LoadedEmbeddingModel = Parameters<typeof wrapEmbeddingModel>[0]["model"];
type Load = (access: ModelAccess) => Promise<LoadedEmbeddingModel>;

const LOADERS: Readonly<Record<Provider, Load>> = {
  anthropic: async () => {
    throw new PalimpsestError("config-invalid", "anthropic has no embedding models", {
      advice: 'Set embeddingModel to "local", or to a model of openai, google, openrouter or ollama.',
    });
  },
  openai: async (access) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(optionsOf(access)).embeddingModel(access.model.model);
  },
  google: async (access) => {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle(optionsOf(access)).embeddingModel(access.model.model);
  },
  openrouter: loadCompatible,
  ollama: loadCompatible,
  "openai-compatible": loadCompatible,
};

function loadEmbeddingModel(access: ModelAccess): Promise<LoadedEmbeddingModel> {
  return LOADERS[access.model.provider](access);
}

async function loadCompatible(access: ModelAccess): Promise<LoadedEmbeddingModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { provider, model } = access.model;
  return createOpenAICompatible({ ...optionsOf(access), name: provider }).embeddingModel(model);
}
