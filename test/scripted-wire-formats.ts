/** How each provider's protocol puts a request and an answer. Only what texts and calls of tools need. */

export interface Said {
  readonly text: string;
  readonly finish?: "stop" | "length" | "filter";
  /** A word of its own for how it ended, or none: for chat completions. */
  readonly ending?: string | undefined;
  readonly thought?: string;
  /** In US dollars, as OpenRouter reports it. */
  readonly cost?: number;
  /** Leave out how many tokens were used. */
  readonly withoutUsage?: boolean;
  /** Tools that the model calls instead of ending its turn. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

interface Told {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
}

export interface WireFormat {
  readonly api: "anthropic" | "openai-responses" | "openai-chat" | "google";
  read(body: unknown, path: string): Told;
  say(said: Said, told: Told): object;
  refuse(status: number, message: string, reason?: string): object;
}

export function wireFormatOf(path: string): WireFormat {
  const found = FORMATS.find(([ending]) => path.endsWith(ending));
  if (found === undefined) throw new Error(`the scripted model has no ${path}`);
  return found[1];
}

const anthropic: WireFormat = {
  api: "anthropic",
  read: (body) => ({
    model: textOf(at(body, "model")),
    system: textOf(at(body, "system")),
    prompt: textOf(at(body, "messages")),
    maxTokens: Number(at(body, "max_tokens")),
  }),
  say: (said, told) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: told.model,
    content: [
      ...(said.thought === undefined ? [] : [{ type: "thinking", thinking: said.thought, signature: "s" }]),
      ...(said.text === "" ? [] : [{ type: "text", text: said.text }]),
      ...callsOf(said).map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    ],
    stop_reason: said.calls
      ? "tool_use"
      : { stop: "end_turn", length: "max_tokens", filter: "refusal" }[said.finish ?? "stop"],
    stop_sequence: null,
    usage: { input_tokens: tokens(told.prompt), output_tokens: tokens(said.text) },
  }),
  refuse: (_, message, reason) => ({ type: "error", error: { type: reason ?? "api_error", message } }),
};

const responses: WireFormat = {
  api: "openai-responses",
  read: (body) => ({
    model: textOf(at(body, "model")),
    system: textOf(at(body, "input", 0)),
    prompt: textOf(at(body, "input", 1)),
    maxTokens: Number(at(body, "max_output_tokens")),
  }),
  say: (said, told) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: told.model,
    status: said.finish === undefined ? "completed" : "incomplete",
    error: null,
    incomplete_details:
      said.finish === undefined
        ? null
        : { reason: said.finish === "length" ? "max_output_tokens" : "content_filter" },
    output: [
      ...(said.thought === undefined
        ? []
        : [{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: said.thought }] }]),
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: said.text, annotations: [] }],
      },
      ...callsOf(said).map(({ id, name, input }) => ({
        type: "function_call",
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(input),
        status: "completed",
      })),
    ],
    usage: { input_tokens: tokens(told.prompt), output_tokens: tokens(said.text) },
  }),
  refuse: (status, message, reason) => ({ error: { message, type: "error", code: reason ?? `${status}` } }),
};

const chat: WireFormat = {
  api: "openai-chat",
  read: (body) => ({
    model: textOf(at(body, "model")),
    system: textOf(at(body, "messages", 0)),
    prompt: textOf(at(body, "messages", 1)),
    maxTokens: Number(at(body, "max_tokens")),
  }),
  say: (said, told) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: told.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: said.text,
          ...(said.thought === undefined ? {} : { reasoning_content: said.thought }),
          ...(said.calls ? { tool_calls: chatCalls(said) } : {}),
        },
        finish_reason: said.calls
          ? "tool_calls"
          : "ending" in said
            ? said.ending
            : { stop: "stop", length: "length", filter: "content_filter" }[said.finish ?? "stop"],
      },
    ],
    ...(said.withoutUsage === true ? {} : { usage: chatUsage(said, told) }),
  }),
  refuse: responses.refuse,
};

const google: WireFormat = {
  api: "google",
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
    system: textOf(at(body, "systemInstruction")),
    prompt: textOf(at(body, "contents")),
    maxTokens: Number(at(body, "generationConfig", "maxOutputTokens")),
  }),
  say: (said, told) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            ...(said.thought === undefined ? [] : [{ text: said.thought, thought: true }]),
            { text: said.text },
            ...callsOf(said).map(({ name, input }) => ({ functionCall: { name, args: input } })),
          ],
        },
        finishReason: { stop: "STOP", length: "MAX_TOKENS", filter: "SAFETY" }[said.finish ?? "stop"],
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: tokens(told.prompt), candidatesTokenCount: tokens(said.text) },
  }),
  refuse: (code, message, reason) => ({
    error: { code, message, status: "ERROR", details: reason === undefined ? [] : [{ reason }] },
  }),
};

const FORMATS: readonly (readonly [string, WireFormat])[] = [
  ["/messages", anthropic],
  ["/responses", responses],
  ["/chat/completions", chat],
  [":generateContent", google],
];

let calls = 0;

function callsOf({ calls: called = [] }: Said) {
  return called.map((call) => ({ id: `call_${++calls}`, ...call }));
}

function chatCalls(said: Said) {
  return callsOf(said).map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
}

function chatUsage(said: Said, told: Told) {
  const [prompt, completion] = [tokens(told.prompt), tokens(said.text)];
  const counted = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return said.cost === undefined ? counted : { ...counted, cost: said.cost };
}

/** What the scripted model calls a token. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inside, key) =>
      typeof inside === "object" && inside !== null ? Reflect.get(inside, String(key)) : undefined,
    value,
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("");
  const inside = at(value, "text") ?? at(value, "content") ?? at(value, "parts");
  return inside === undefined ? "" : textOf(inside);
}
