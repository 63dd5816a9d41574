/** The AI SDK's types of a language model, by way of `ai` itself: what it is built on is not a dependency of ours. */
import type { LanguageModelMiddleware } from "ai";

export type Middleware = LanguageModelMiddleware;
type Transformed = Parameters<NonNullable<Middleware["transformParams"]>>[0];

export type LanguageModel = Transformed["model"];
export type CallOptions = Transformed["params"];
export type PromptMessage = CallOptions["prompt"][number];
export type ModelContent = Awaited<ReturnType<LanguageModel["doGenerate"]>>["content"][number];

type Streamed = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];
export type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never;
