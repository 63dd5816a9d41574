/**
 * Views of a message's parts: rows for the index, text for searching, a size for the budget.
 */
import type { PartIndex } from "../store/store.ts";
import type { CountTokens } from "../text/estimate-tokens.ts";
import { storableName } from "../text/utf8.ts";
import type { Part } from "../types.ts";
import { definitionOf } from "./parts/index.ts";

/** Providers count 85 to 1,600 tokens for an image, depending on its size; this takes the maximum. */
const FILE_TOKENS = 1_600;

export function indexParts(parts: readonly Part[]): PartIndex[] {
  return parts.map((part) =>
    part.type === "tool"
      ? {
          type: "tool",
          toolCallId: storableOrNull(part.callId),
          toolName: storableOrNull(part.name),
          toolStatus: part.status,
        }
      : { type: part.type, toolCallId: null, toolName: null, toolStatus: null },
  );
}

function storableOrNull(name: string | null): string | null {
  return name === null ? null : storableName(name);
}

/** All text that a person or a search may look for, one piece a line. */
export function textOfParts(parts: readonly Part[]): string {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "text") return only.text;
  return parts
    .flatMap((part) => definitionOf(part).searchable(part))
    .filter((piece) => piece !== null && piece !== "")
    .join("\n");
}

/** The text that the model reads. All files count the same: providers do not publish their size in tokens. */
export function countPartTokens(parts: readonly Part[], countTokens: CountTokens): number {
  let total = 0;
  for (const part of parts) {
    if (part.type === "file") total += FILE_TOKENS;
    else
      for (const text of definitionOf(part).seenByModel(part)) if (text !== null) total += countTokens(text);
  }
  return total;
}
