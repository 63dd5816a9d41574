/** A message's parts up to a character, counted as its words are: over the texts of `textsOfParts`, one behind the other. */
import type { Part } from "../../types.ts";
import { lengthOf, textsOfParts } from "./message-text.ts";

/** The words that are left are the first `characters` of all; what begins behind them is left out. */
export function cutParts(parts: readonly Part[], characters: number): Part[] {
  const cut: Part[] = [];
  let room = characters;
  for (const part of parts) {
    if (room <= 0) break;
    const length = lengthOf(textsOfParts([part]));
    cut.push(cutPart(part, Math.min(room, length)));
    room -= length;
  }
  return cut;
}

function cutPart(part: Part, room: number): Part {
  switch (part.type) {
    case "tool":
      return cutTool(part, room);
    case "file":
      // A data: URL counts as no words, however long it is.
      return { ...part, url: part.url?.slice(0, room) || null };
    case "patch":
      return { ...part, files: part.files.join("\n").slice(0, room).split("\n") };
    case "subtask":
      return { ...part, prompt: part.prompt.slice(0, room) };
    case "retry":
      return { ...part, error: part.error?.slice(0, room) ?? null };
    default:
      return "text" in part ? { ...part, text: part.text.slice(0, room) } : part;
  }
}

function cutTool(part: Extract<Part, { type: "tool" }>, room: number): Part {
  const { input, output } = part;
  const left = room - (input?.length ?? 0);
  return {
    ...part,
    input: input?.slice(0, room) ?? null,
    output: left > 0 || input === null ? (output?.slice(0, left) ?? null) : null,
  };
}
