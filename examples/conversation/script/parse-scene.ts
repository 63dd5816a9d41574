/**
 * Reads a scene of `dialogue/`, which is written like a stage play:
 *
 *     @at 2026-03-09T08:12:00Z    the next message has exactly this time
 *     @wait 25                    or comes after so many minutes of silence
 *     @user                       what a person says, up to the next line with @
 *     @image light-curve          a picture at the end of that message
 *     @think / @say / @call NAME  blocks of one assistant message; a call is followed by `key: value` lines,
 *                                 where `key: |` takes the indented lines below it
 *     @result / @result error     what the oldest open call answered; neighbours share one tool message
 *
 * `{{name}}` stands for generated material. Lines before the first @ are remarks for the reader of the file.
 */
import type { Block, Draft, ToolUseBlock } from "./blocks.ts";

export interface SceneSources {
  /** The text behind a `{{name}}`. */
  readonly material: (name: string) => string;
  /** Base64 of the PNG behind `@image name`. */
  readonly image: (name: string) => string;
  readonly nextCallId: () => string;
}

interface Cue {
  readonly kind: string;
  readonly argument: string;
  readonly body: string;
}

const KINDS = new Set(["at", "wait", "system", "user", "image", "think", "say", "call", "result"]);

/** Cues that add a block to the message at hand, as long as the same side goes on speaking. */
const ROLE_OF_BLOCK: Readonly<Record<string, "assistant" | "tool">> = {
  think: "assistant",
  say: "assistant",
  call: "assistant",
  result: "tool",
};

function roleOf(blocks: readonly Block[]): "assistant" | "tool" | undefined {
  if (blocks.length === 0) return undefined;
  return blocks[0]?.type === "tool_result" ? "tool" : "assistant";
}

export function parseScene(source: string, sources: SceneSources): Draft[] {
  const drafts: Draft[] = [];
  let timing: Pick<Draft, "at" | "wait"> = {};
  let blocks: Block[] = [];
  let openCalls: string[] = [];

  const push = (role: Draft["role"], content: Draft["content"]): void => {
    drafts.push({ role, content, ...timing });
    timing = {};
  };
  const flush = (): void => {
    if (blocks.length === 0) return;
    push(roleOf(blocks) ?? "assistant", blocks);
    blocks = [];
  };

  for (const cue of cuesOf(source)) {
    const text = fill(cue.body, sources);
    if (cue.kind !== "image" && ROLE_OF_BLOCK[cue.kind] !== roleOf(blocks)) flush();
    switch (cue.kind) {
      case "at":
        timing = { at: cue.argument };
        break;
      case "wait":
        timing = { wait: Number(cue.argument) };
        break;
      case "system":
      case "user":
        push(cue.kind, text);
        break;
      case "image":
        attachImage(drafts, sources.image(cue.argument));
        break;
      case "think":
        blocks.push({ type: "thinking", thinking: text });
        break;
      case "say":
        blocks.push({ type: "text", text });
        break;
      case "call": {
        const id = sources.nextCallId();
        openCalls.push(id);
        blocks.push({ type: "tool_use", id, name: cue.argument, input: parseInput(text) });
        break;
      }
      case "result": {
        const [id, ...rest] = openCalls;
        if (!id) throw new Error(`a result without a call: ${text.slice(0, 60)}`);
        openCalls = rest;
        const failed = cue.argument === "error" ? { is_error: true as const } : {};
        blocks.push({ type: "tool_result", tool_use_id: id, content: text, ...failed });
        break;
      }
    }
  }
  flush();
  if (openCalls.length > 0) throw new Error(`${openCalls.length} calls without a result`);
  return drafts;
}

function cuesOf(source: string): Cue[] {
  const cues: { kind: string; argument: string; lines: string[] }[] = [];
  for (const line of source.split("\n")) {
    const [, kind = "", argument = ""] = /^@([a-z]+)(?: (.*))?$/.exec(line) ?? [];
    if (KINDS.has(kind)) cues.push({ kind, argument, lines: [] });
    else cues.at(-1)?.lines.push(line);
  }
  return cues.map(({ kind, argument, lines }) => ({ kind, argument, body: trimBlankLines(lines) }));
}

function trimBlankLines(lines: readonly string[]): string {
  return lines.join("\n").replace(/^\n+|\n+$/g, "");
}

function fill(text: string, sources: SceneSources): string {
  return text.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => sources.material(name));
}

/** A person's message becomes a list of blocks once there is a picture in it. */
function attachImage(drafts: Draft[], data: string): void {
  const last = drafts.pop();
  if (last?.role !== "user" || typeof last.content !== "string")
    throw new Error("@image needs an @user before it");
  const image: Block = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  drafts.push({ ...last, content: [{ type: "text", text: last.content }, image] });
}

function parseInput(text: string): ToolUseBlock["input"] {
  const input: Record<string, string | number | boolean> = {};
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const [, key, value = ""] = /^([a-z_]+): ?(.*)$/.exec(lines[i] ?? "") ?? [];
    if (!key) throw new Error(`not an argument: ${lines[i]}`);
    if (value !== "|") {
      input[key] = scalar(value);
      continue;
    }
    const block: string[] = [];
    while (i + 1 < lines.length && /^( {2}|$)/.test(lines[i + 1] ?? ""))
      block.push((lines[++i] ?? "").slice(2));
    input[key] = block.join("\n");
  }
  return input;
}

function scalar(value: string): string | number | boolean {
  if (value === "true" || value === "false") return value === "true";
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
