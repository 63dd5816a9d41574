/** An embedding service on a real port: OpenAI's protocol and Google's. A text's vector says how long it is. */
import { type JsonAnswer, type JsonRequest, startJsonServer } from "./scripted-json-server.ts";

type Answer = (texts: readonly string[], request: JsonRequest, index: number) => JsonAnswer;

/** The vector that the service has for a text, before anybody normalises it. */
export const vectorOf = (text: string, dimensions = 3): number[] => [
  text.length + 1,
  ...Array(dimensions - 1).fill(1),
];

export const embedAll: Answer = (texts, request) =>
  request.path.includes("mbedContent") ? forGoogle(texts, request) : forOpenAi(texts, request);

export const vectors = (data: readonly unknown[]): JsonAnswer => ({
  body: { object: "list", data, model: "m", usage: { prompt_tokens: 7, total_tokens: 7 } },
});

export async function startEmbeddings(answer: Answer = embedAll) {
  return startJsonServer((request, index) => answer(textsOf(request), request, index));
}

export function textsOf({ body }: JsonRequest): readonly string[] {
  const { input, requests, content } = body as Asked;
  if (input !== undefined) return [input].flat();
  return (requests ?? [{ content }]).map((one) => one.content?.parts[0]?.text ?? "");
}

interface GoogleAsked {
  readonly content?: { readonly parts: readonly { readonly text: string }[] } | undefined;
}

interface Asked extends GoogleAsked {
  readonly input?: string | readonly string[];
  readonly dimensions?: number;
  readonly requests?: readonly GoogleAsked[];
}

function forOpenAi(texts: readonly string[], { body }: JsonRequest): JsonAnswer {
  const { dimensions } = body as Asked;
  return vectors(texts.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) })));
}

function forGoogle(texts: readonly string[], { path }: JsonRequest): JsonAnswer {
  const embeddings = texts.map((text) => ({ values: vectorOf(text) }));
  return { body: path.includes("batch") ? { embeddings } : { embedding: embeddings[0] } };
}
