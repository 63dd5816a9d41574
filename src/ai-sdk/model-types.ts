/** The AI SDK's types of a language model, taken from `ai`, since its own packages are not our dependencies. */
import type { LanguageModelMiddleware } from "ai";

export type Middleware = LanguageModelMiddleware;
type Transformed = Parameters<NonNullable<Middleware["transformParams"]>>[0];

export type LanguageModel = Transformed["model"];
export type CallOptions = Transformed["params"];
export type PromptMessage = CallOptions["prompt"][number];
export type ModelContent = Awaited<ReturnType<LanguageModel["doGenerate"]>>["content"][number];

type Streamed = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];
export type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never;
