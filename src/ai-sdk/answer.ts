/** A model's answer in the form in which the next prompt repeats it, so that it is recognised. */
import type { ModelContent, PromptMessage, StreamPart } from "./model-types.ts";

export type Answer = Extract<PromptMessage, { role: "assistant" }>;
type AnswerPart = Answer["content"][number];
type ToolResult = Extract<ModelContent, { type: "tool-result" }>;

export function answerOf(content: readonly ModelContent[]): Answer {
  return { role: "assistant", content: content.flatMap(partOf) };
}

function partOf(part: ModelContent): AnswerPart[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text, ...optionsOf(part) }];
    case "reasoning":
      return [{ type: "reasoning", text: part.text, ...optionsOf(part) }];
    case "tool-call": {
      const { toolCallId, toolName, providerExecuted } = part;
      return [
        {
          ...{ type: "tool-call", toolCallId, toolName, input: parsed(part.input) },
          ...(providerExecuted === undefined ? {} : { providerExecuted }),
          ...optionsOf(part),
        },
      ];
    }
    case "tool-result": {
      const { toolCallId, toolName, result, isError } = part;
      return [
        { type: "tool-result", toolCallId, toolName, output: outputOf(result, isError), ...optionsOf(part) },
      ];
    }
    case "file":
      return [{ type: "file", mediaType: part.mediaType, data: part.data, ...optionsOf(part) }];
    default:
      // Sources are never part of a prompt. Other types are in the next prompt if the application keeps them.
      return [];
  }
}

/** The output of a tool that the provider runs. */
function outputOf(result: ToolResult["result"], isError: boolean | undefined) {
  if (isError === true) return { type: "error-json" as const, value: result };
  return typeof result === "string"
    ? { type: "text" as const, value: result }
    : { type: "json" as const, value: result };
}

function optionsOf({ providerMetadata }: Pick<ModelContent, "providerMetadata">) {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Assembles an answer while it is streamed. */
export class AnswerReader {
  readonly #content: ModelContent[] = [];
  readonly #open = new Map<string, { readonly type: "text" | "reasoning"; text: string }>();

  take(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const open = {
          type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const),
          text: "",
        };
        this.#open.set(part.id, open);
        this.#content.push(open);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const open = this.#open.get(part.id);
        if (open !== undefined) open.text += part.delta;
        break;
      }
      case "tool-result":
        if (part.preliminary !== true) this.#content.push(part);
        break;
      case "tool-call":
      case "file":
        this.#content.push(part);
        break;
    }
  }

  get answer(): Answer {
    return answerOf(this.#content);
  }
}
