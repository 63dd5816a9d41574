/**
 * What others need of a message's parts: rows for the index, text for searching, a size for the budget.
 */
import type { PartIndex } from "../store/store.ts";
import type { CountTokens } from "../text/estimate-tokens.ts";
import type { Part } from "../types.ts";

/** Providers count an image between 85 and 1,600 tokens, by its size; the most is taken. */
const FILE_TOKENS = 1_600;

export function indexParts(parts: readonly Part[]): PartIndex[] {
  return parts.map((part) =>
    part.type === "tool"
      ? { type: "tool", toolCallId: part.callId, toolName: part.name, toolStatus: part.status }
      : { type: part.type, toolCallId: null, toolName: null, toolStatus: null },
  );
}

/** Everything that a person or a search would look for, one piece a line. */
export function textOfParts(parts: readonly Part[]): string {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "text") return only.text;
  return parts
    .flatMap(searchable)
    .filter((piece) => piece !== null && piece !== "")
    .join("\n");
}

function searchable(part: Part): readonly (string | null)[] {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "compaction":
    case "other":
      return [part.text];
    case "tool":
      return [part.name, unescaped(part.input), unescaped(part.output)];
    case "file":
      return [part.name, part.url !== null && /^data:/i.test(part.url) ? null : part.url];
    case "patch":
      return [part.hash, ...part.files];
    case "subtask":
      return [part.agent, part.description, part.prompt];
    case "snapshot":
      return [part.hash];
    case "agent":
      return [part.name];
    case "retry":
      return [part.error];
    case "step_start":
    case "step_finish":
      return [];
  }
}

/** JSON text with its escapes undone: in `{"text":"one\ntwo"}` the second word is `two`, not `ntwo`. */
function unescaped(text: string | null): string | null {
  if (text === null || !text.includes("\\") || !isJson(text)) return text;
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (escaped) => String(JSON.parse(`"${escaped}"`)));
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the model reads of these parts. Files count alike: their size in tokens is the provider's secret. */
export function countPartTokens(parts: readonly Part[], countTokens: CountTokens): number {
  let total = 0;
  for (const part of parts) {
    if (part.type === "file") total += FILE_TOKENS;
    else for (const text of seenByModel(part)) if (text !== null) total += countTokens(text);
  }
  return total;
}

function seenByModel(part: Part): readonly (string | null)[] {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "compaction":
    case "other":
      return [part.text];
    case "tool":
      return [part.name, part.input, part.output];
    case "subtask":
      return [part.prompt];
    default:
      return [];
  }
}
