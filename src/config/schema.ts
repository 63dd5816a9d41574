/**
 * Defines every setting once: type, default, validation, environment variable and reference page come from here.
 * A setting without an effect does not belong here.
 */
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { isScopeName } from "../text/scope-name.ts";
import { isStorableText, NOT_STORABLE } from "../text/utf8.ts";
import {
  checkEmbeddingSettings,
  checkModelSettings,
  checkThresholds,
  problemWithEmbeddingModel,
} from "./check-settings.ts";
import { problemWithModelName } from "./model-name.ts";
import { RERANK_PROVIDER_NAMES } from "./rerank-providers.ts";

const nameWithout = (problemWith: (name: string) => string | null) =>
  z.string().superRefine((name, context) => {
    const problem = problemWith(name);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });
const name = z.string().min(1).refine(isStorableText, NOT_STORABLE);
const modelName = nameWithout(problemWithModelName);
const plainUrl = z
  .string()
  .refine(isPlainHttpUrl, "must be an http or https address without user, password or query");
const secret = z
  .string()
  .refine((key) => /^[!-~]+$/.test(key), "must be printable characters without spaces");
/** Timers of Node cannot wait longer. */
const milliseconds = z.int().min(1).max(2_147_483_647);
const tokens = z.int().min(1);
const share = z.number().gt(0).max(1);
const fanout = z.int().min(2);
const patterns = z.array(z.string().min(1)).readonly();

export const ADMISSION_PRESETS = ["off", "balanced", "conservative", "high-recall"] as const;
/** How candidates are found and ranked. */
export const RECALL_MODES = ["calibrated", "seed"] as const;

const scopeName = z
  .string()
  .refine(
    isScopeName,
    "must be global, agent:<id>, project:<id>, user:<id>, custom:<name> or reflection:agent:<id>",
  );

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

const settings = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe("Store new messages. When false, commits are skipped and reading still works."),
  dataDir: z
    .string()
    .min(1)
    .default(() => path.join(os.homedir(), ".palimpsest"))
    .describe("Folder of the embedded store. Used when databaseUrl is not set."),
  databaseUrl: z
    .string()
    .refine((url) => /^postgres(ql)?:\/\//.test(url), "must start with postgres:// or postgresql://")
    .nullable()
    .default(null)
    .describe(
      "PostgreSQL to use instead of the embedded store: postgres://user:password@host:port/database.",
    ),
  tenant: name.default("default").describe("Tenant whose conversations are read and written."),
  agent: name.default("default").describe("Agent whose conversations are read and written."),
  ignoreSessionPatterns: patterns
    .default([])
    .describe("Sessions that are never stored. `*` matches within a `:` segment, `**` across segments."),
  statelessSessionPatterns: patterns
    .default([])
    .describe("Sessions that may read but do not write, while skipStatelessSessions is on."),
  skipStatelessSessions: z.boolean().default(true).describe("Stop stateless sessions from writing."),
  pruneHeartbeatOk: z
    .boolean()
    .default(false)
    .describe(
      "Leave heartbeat turns that were only acknowledged (HEARTBEAT_OK) out of the context. They stay on record.",
    ),
  timezone: z
    .string()
    .refine(isTimezone, "must be an IANA time zone such as Europe/Berlin or UTC")
    .default(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    .describe(
      "Time zone in which commands show times, and read times without an offset. Stored times are always UTC.",
    ),
  logLevel: z
    .enum(LOG_LEVELS)
    .default("warn")
    .describe(
      "Minimum level that is logged. Commands log on a terminal, and without --json, only when it, or logFile, is set.",
    ),
  logFile: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("File for structured logs (JSON lines). Default: standard error."),
  largeFileTokenThreshold: z
    .int()
    .min(0)
    .default(25_000)
    .describe(
      "Tokens above which an attached file or a pasted text is externalised: the model sees a short description and an id to read it by.",
    ),
  toolOutputStubBytes: z
    .int()
    .min(0)
    .default(8_000)
    .describe(
      "Bytes above which a tool's result is externalised. The model sees it in full while it is fresh.",
    ),
  stubLargeToolPayloads: z
    .boolean()
    .default(true)
    .describe("Show results above toolOutputStubBytes as a short reference once they are no longer fresh."),
  contextBudget: tokens.default(128_000).describe("Default token budget of a context."),
  maxAssemblyTokenBudget: tokens
    .nullable()
    .default(null)
    .describe("Upper limit for any caller's token budget. Default: no limit."),
  autocompactDisabled: z
    .boolean()
    .default(false)
    .describe("Compact only on request: no background work after a turn, no waiting at the hard threshold."),
  contextThreshold: share
    .default(0.75)
    .describe("Share of the budget above which the context is compacted in the background."),
  hardThreshold: share
    .default(0.92)
    .describe("Share of the budget above which assembling waits for a compaction."),
  compactTarget: share.default(0.4).describe("Share of the budget that a compaction aims for."),
  maxActiveMessages: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Number of context items above which the context is compacted, regardless of tokens. Default: no limit.",
    ),
  incremental: z
    .boolean()
    .default(false)
    .describe("Summarise after a turn as soon as there are leafChunkTokens outside the fresh tail."),
  incrementalMaxDepth: z
    .int()
    .min(0)
    .default(1)
    .describe("Depth up to which incremental compaction condenses. 0: leaves only."),
  sweepDeadlineMs: milliseconds
    .default(120_000)
    .describe("Time limit in milliseconds after which a background compaction starts no new pass."),
  freshTailCount: z.int().min(1).default(64).describe("Newest messages that are never summarised."),
  freshTailMaxTokens: tokens
    .nullable()
    .default(null)
    .describe("Maximum tokens of the fresh tail. Default: 0.4 × the budget."),
  leafChunkTokens: tokens.default(20_000).describe("Maximum source tokens of one summary."),
  leafTargetTokens: tokens.default(2_400).describe("Target tokens of a summary of messages."),
  condensedTargetTokens: tokens.default(2_000).describe("Target tokens of a summary of summaries."),
  leafMinFanout: fanout
    .default(8)
    .describe("Minimum number of adjacent summaries of messages to condense together."),
  condensedMinFanout: fanout
    .default(4)
    .describe("Minimum number of adjacent summaries of summaries to condense together."),
  condensedMinFanoutHard: fanout
    .default(2)
    .describe("The same minimum, for both kinds, when nothing else reduces the context."),
  newSessionRetainDepth: z
    .int()
    .min(0)
    .default(2)
    .describe("Summaries of at least this depth stay in the context when a session restarts."),
  summaryMaxOverageFactor: z
    .number()
    .min(1)
    .default(3)
    .describe("Maximum length of a model's summary, as a multiple of its target."),
  customInstructions: z
    .string()
    .default("")
    .describe("Extra instructions for the model that writes summaries."),
  summaryModel: modelName
    .nullable()
    .default(null)
    .describe("Model that writes summaries, as provider/model. Without one, summaries are written offline."),
  summaryFallbackModels: z
    .array(modelName)
    .readonly()
    .default([])
    .describe("Models to ask, in this order, when summaryModel does not answer."),
  expansionModel: modelName
    .nullable()
    .default(null)
    .describe(
      "Model that answers delegated questions (lcm_expand_query), as provider/model. Default: summaryModel and its fallbacks, which are also tried when it does not answer.",
    ),
  largeFileModel: modelName
    .nullable()
    .default(null)
    .describe(
      "Model that describes attached files of prose, as provider/model. Default: summaryModel and its fallbacks, which are also tried when it does not answer.",
    ),
  memoryModel: modelName
    .nullable()
    .default(null)
    .describe(
      "Model that captures memories from conversations, as provider/model. Default: summaryModel and its fallbacks, which are also tried when it does not answer; without a model, rules capture memories.",
    ),
  modelBaseUrl: plainUrl
    .nullable()
    .default(null)
    .describe("Address of the API of summaryModel's provider, with its version: http://host:port/v1."),
  modelApiKey: secret
    .nullable()
    .default(null)
    .describe("Key of summaryModel's provider. The provider's own environment variable comes first."),
  summaryTimeoutMs: milliseconds.default(60_000).describe("Timeout of a model call, in milliseconds."),
  modelRetries: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Retries when the provider is overloaded, failing or unreachable."),
  circuitBreakerThreshold: z
    .int()
    .min(1)
    .default(5)
    .describe("Consecutive authentication failures after which a model is paused."),
  circuitBreakerCooldownMs: milliseconds
    .default(1_800_000)
    .describe("Milliseconds until a paused model is tried again."),
  summaryCallWindowMs: milliseconds
    .default(600_000)
    .describe("Length of the window of summaryMaxCallsPerWindow, in milliseconds."),
  summaryMaxCallsPerWindow: z
    .int()
    .min(1)
    .default(24)
    .describe("Maximum calls for summaries within summaryCallWindowMs, including retries and fallbacks."),
  expansionMaxCallsPerWindow: z
    .int()
    .min(1)
    .default(120)
    .describe(
      "Maximum calls for delegated questions within summaryCallWindowMs; each question takes several.",
    ),
  delegationTokenCap: tokens
    .default(16_000)
    .describe("Default token limit for what a delegated question may read."),
  delegationMaxSteps: z
    .int()
    .min(2)
    .default(12)
    .describe("Maximum model calls of one delegated question; the last one must answer."),
  delegationTimeoutMs: milliseconds
    .max(600_000)
    .default(120_000)
    .describe("Default timeout of a delegated question, in milliseconds."),
  memoryScope: scopeName
    .nullable()
    .default(null)
    .describe(
      "Memory scope for new memories when the caller names none: global, agent:<id>, project:<id>, user:<id>, custom:<name>. Default: agent:<agent>.",
    ),
  memoryAccess: z
    .record(z.string().min(1), z.array(scopeName).readonly())
    .readonly()
    .default({})
    .describe(
      'Memory scopes that agents may see and write, by agent: {"main": ["global", "project:web"]}. Default, for agents that are not named: global, their own, and their reflections.',
    ),
  autoCapture: z
    .boolean()
    .default(true)
    .describe("Capture memories from conversations, in the background after a turn."),
  captureAssistant: z
    .boolean()
    .default(false)
    .describe("Also capture memories from assistant messages, when a model captures them."),
  captureMinMessages: z
    .int()
    .min(1)
    .default(4)
    .describe(
      "Minimum number of new messages before a model captures memories. An explicit request to remember is captured at once.",
    ),
  captureMaxTokens: tokens
    .default(4_000)
    .describe("Maximum tokens of one capture call; longer conversations take several calls."),
  captureMaxPerHour: z
    .int()
    .min(1)
    .default(30)
    .describe("Maximum capture calls to a model per hour. The rest waits."),
  captureSkipLowValue: z
    .boolean()
    .default(false)
    .describe("Skip the model for messages that are unlikely to contain a memory."),
  admission: z
    .enum(ADMISSION_PRESETS)
    .default("off")
    .describe(
      "How strictly captured memories are filtered before they are stored. Explicit requests are always stored.",
    ),
  autoRecall: z
    .boolean()
    .default(true)
    .describe("Add memories that are relevant to the prompt to an assembled context."),
  autoRecallMaxItems: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe("Maximum number of memories added to a context."),
  autoRecallMaxTokens: tokens.default(600).describe("Maximum tokens of these memories together."),
  autoRecallTimeoutMs: milliseconds
    .default(1_000)
    .describe("Milliseconds after which a context is returned without memories."),
  recallMode: z
    .enum(RECALL_MODES)
    .default("calibrated")
    .describe(
      "How memories are ranked: by words and embeddings, weighted for each question (calibrated), or by the weighted sum and stages of memory-lancedb-pro (seed).",
    ),
  recallDiversity: z.boolean().default(false).describe("Rank near-duplicates of a better memory last."),
  embeddingModel: nameWithout(problemWithEmbeddingModel)
    .default("local")
    .describe(
      "Embedding model for semantic search: `local` runs on this machine and sends nothing, `off` disables embeddings, else provider/model.",
    ),
  embeddingBaseUrl: plainUrl
    .nullable()
    .default(null)
    .describe(
      "Address of the API of embeddingModel's provider, with its version. Default: the provider's own.",
    ),
  embeddingApiKey: secret
    .nullable()
    .default(null)
    .describe("Key of embeddingModel's provider. Default: the provider's own environment variable."),
  embeddingDimensions: z
    .int()
    .min(1)
    .max(16_384)
    .nullable()
    .default(null)
    .describe(
      "Dimensions to request from embeddingModel, if it supports a choice. Default: the model's own.",
    ),
  embeddingTimeoutMs: milliseconds.default(30_000).describe("Timeout of an embedding call, in milliseconds."),
  searchByMeaning: z
    .boolean()
    .default(false)
    .describe(
      "Create embeddings of user and assistant messages in the background, so that mode hybrid also searches semantically. With the local model, 100 characters take about 11 ms of CPU time, once.",
    ),
  rerankProvider: z
    .enum(["none", ...RERANK_PROVIDER_NAMES])
    .default("none")
    .describe("Service that reranks search results. It receives the question and the results."),
  rerankModel: z
    .string()
    .regex(/^\S+$/, "must be a model's name, without spaces")
    .nullable()
    .default(null)
    .describe("Model of rerankProvider. Default: see docs/guide/models.md."),
  rerankEndpoint: plainUrl
    .nullable()
    .default(null)
    .describe("Full address of rerankProvider. Default: the provider's own; tei has none."),
  rerankApiKey: secret
    .nullable()
    .default(null)
    .describe("Key of rerankProvider. Default: the provider's own environment variable."),
  rerankTimeoutMs: milliseconds
    .default(5_000)
    .describe("Timeout of a reranking call, in milliseconds; afterwards results keep their order."),
});

/** Without the checks of model settings: enough for operations that call no model. */
export const uncheckedModelsSchema = settings
  .superRefine(checkThresholds)
  .superRefine(checkEmbeddingSettings);

export const configSchema = settings
  .superRefine(checkModelSettings)
  .superRefine(checkThresholds)
  .superRefine(checkEmbeddingSettings);

export type Config = z.infer<typeof configSchema>;
export type ConfigKey = keyof Config;

export const CONFIG_KEYS = Object.keys(configSchema.shape) as readonly ConfigKey[];

/** Settings whose values are never shown, logged or put into errors. */
export const SECRET_KEYS: readonly ConfigKey[] = ["modelApiKey", "embeddingApiKey", "rerankApiKey"];

/** Settings of similar systems that are deliberately missing here, with what to do instead. */
export const DROPPED_KEYS: Readonly<Record<string, string>> = {
  bootstrapMaxTokens: "everything is imported, whatever its size; remove this key",
  databasePath: "the embedded store is a folder; set dataDir instead",
  dbPath: "the embedded store is a folder; set dataDir instead",
  summaryProvider: "the provider is part of the model's name; set summaryModel to provider/model",
  expansionProvider: "the provider is part of the model's name; set expansionModel to provider/model",
  largeFileSummaryProvider: "the provider is part of the model's name; set largeFileModel to provider/model",
  largeFileSummaryModel: "set largeFileModel to provider/model instead",
  fallbackProviders: "list provider/model names in summaryFallbackModels instead",
  embeddingProvider: "the provider is part of the model's name; set embeddingModel to provider/model",
  summarySpendBackoffMs: "calls are possible again as soon as summaryCallWindowMs has room; remove this key",
};

/** `pruneHeartbeatOk` → `LCM_PRUNE_HEARTBEAT_OK`. */
export function environmentName(key: string): string {
  return `LCM_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function isPlainHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
