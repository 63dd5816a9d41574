/**
 * One block of a message's content, of any family. The type says what it is; the few types that families
 * share are told apart by their fields. What nobody knows is kept as `other`.
 */
import type { Part } from "../types.ts";
import {
  type Block,
  isBlock,
  Misfit,
  otherPart,
  type ReadBlock,
  type Reading,
  readFitting,
  requireText,
  textOf,
} from "./block.ts";
import { FILE_BLOCKS } from "./read-file-block.ts";
import { NATIVE_PARTS } from "./read-native-part.ts";
import { TOOL_BLOCKS, toolReaderFor } from "./read-tool-block.ts";

const TEXT_BLOCKS: readonly (readonly [string, ReadBlock])[] = [
  ["text", readText],
  ["input_text", readText],
  ["output_text", readText],
  ["refusal", (block) => [{ type: "text", text: requireText(block, "refusal") }]],
  ["thinking", (block) => [{ type: "reasoning", text: requireText(block, "thinking") }]],
  // Only the provider can read it; the original keeps it.
  ["redacted_thinking", () => [{ type: "reasoning", text: "" }]],
  ["reasoning", readReasoning],
  ["reasoning_text", readReasoning],
  ["summary_text", readReasoning],
];

const READERS: ReadonlyMap<string, ReadBlock> = new Map([
  ...FILE_BLOCKS,
  ...TOOL_BLOCKS,
  ...NATIVE_PARTS,
  ...TEXT_BLOCKS,
]);

/** All blocks of one list, in order. `field` is where the message has them: `.content` or `.parts`. */
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

function readText(block: Block): readonly Part[] {
  const text = requireText(block, "text");
  return [block.synthetic === true ? { type: "text", text, synthetic: true } : { type: "text", text }];
}

/** AI SDK and our own: text. OpenAI: a list of summaries and perhaps the reasoning itself; both may be sealed. */
export function readReasoning(block: Block): readonly Part[] {
  if (block.summary === undefined && block.content === undefined)
    return [{ type: "reasoning", text: requireText(block, "text") }];
  const texts = [...textsOf(block.summary), ...textsOf(block.content)];
  return [{ type: "reasoning", text: texts.join("\n") }];
}

function textsOf(blocks: unknown): readonly string[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.map((block) => (isBlock(block) ? textOf(block.text) : null)).filter((text) => text !== null);
}
