/**
 * Reads one block of a message's content, of any family. The type identifies it; the few types that families share are
 * distinguished by their fields. An unknown block is kept as `other`.
 */
import type { Part } from "../types.ts";
import {
  isBlock,
  Misfit,
  otherPart,
  type ReadBlock,
  type Reading,
  readFitting,
  requireText,
} from "./block.ts";
import { PART_DEFINITIONS } from "./parts/index.ts";
import { FILE_BLOCKS } from "./read-file-block.ts";
import { TOOL_BLOCKS, toolReaderFor } from "./read-tool-block.ts";

const { text, reasoning, step_start } = PART_DEFINITIONS;

/** Alternative names of our own types. */
const ALIASES: readonly (readonly [string, ReadBlock])[] = [
  ["input_text", text.read],
  ["output_text", text.read],
  ["refusal", (block) => [{ type: "text", text: requireText(block, "refusal") }]],
  ["thinking", (block) => [{ type: "reasoning", text: requireText(block, "thinking") }]],
  // Only the provider can decrypt it; the original keeps it.
  ["redacted_thinking", () => [{ type: "reasoning", text: "" }]],
  ["reasoning_text", reasoning.read],
  ["summary_text", reasoning.read],
  ["step-start", step_start.read],
];

const READERS: ReadonlyMap<string, ReadBlock> = new Map([
  ...FILE_BLOCKS,
  ...TOOL_BLOCKS,
  ...Object.entries(PART_DEFINITIONS).map(([type, { read }]) => [type, read] as const),
  ...ALIASES,
]);

/** Reads all blocks of a list, in order. `field` is their place in the message: `.content` or `.parts`. */
export function readBlocks(blocks: readonly unknown[], field: string, reading: Reading): readonly Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < blocks.length; i++) {
    for (const part of readFitting(reading, field, i, blocks[i], readBlock)) parts.push(part);
  }
  return parts;
}

function readBlock(block: unknown): readonly Part[] {
  if (!isBlock(block)) throw new Misfit("", block, "an object with a type");
  const type = requireText(block, "type", "the type of the block as a string");
  const read = READERS.get(type) ?? toolReaderFor(type);
  return read === undefined ? [otherPart(block)] : read(block);
}
