/**
 * The output of a tool as text: strings unchanged, text blocks joined by newlines, JSON as JSON text. Images
 * and files in the output become separate parts.
 */
import type { Part } from "../types.ts";
import { type Block, isBlock } from "./block.ts";
import { FILE_BLOCKS } from "./read-file-block.ts";
import { jsonText, stringsInside } from "./strings-inside.ts";

export interface ToolOutput {
  readonly text: string;
  readonly files: readonly Part[];
}

/** Output as text or blocks, as model APIs send it. */
export function readToolOutput(content: unknown): ToolOutput {
  if (isBlock(content) && typeof content.type === "string") return readBlocks([content]);
  // Blocks have a type; a list without types is data that the tool returned.
  if (Array.isArray(content) && content.every(isBlockOrText)) return readBlocks(content);
  return { text: dataText(content), files: [] };
}

/** Output that is an arbitrary value, as AI SDK tools return it. */
export function dataText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : jsonText(value);
}

function isBlockOrText(value: unknown): value is Block | string {
  return typeof value === "string" || (isBlock(value) && typeof value.type === "string");
}

function readBlocks(blocks: readonly (Block | string)[]): ToolOutput {
  const parts = blocks.flatMap(readOutputBlock);
  const texts = parts.filter((part) => part.type === "text").map((part) => part.text);
  return { text: texts.join("\n"), files: parts.filter((part) => part.type === "file") };
}

function readOutputBlock(block: Block | string): readonly Part[] {
  if (typeof block === "string") return [{ type: "text", text: block }];
  if (typeof block.text === "string") return [{ type: "text", text: block.text }];
  const readFile = FILE_BLOCKS.get(String(block.type));
  return readFile === undefined ? [{ type: "text", text: stringsInside(block) }] : readFile(block);
}
