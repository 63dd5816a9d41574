/**
 * What a tool answered, as text: strings as they are, text blocks joined by newline, JSON as JSON text. Images
 * and files inside the answer become parts of their own.
 */
import type { Part } from "../types.ts";
import { type Block, isBlock } from "./block.ts";
import { FILE_BLOCKS } from "./read-file-block.ts";
import { jsonText, stringsInside } from "./strings-inside.ts";

export interface ToolOutput {
  readonly text: string;
  readonly files: readonly Part[];
}

/** An answer of text or blocks, as the model APIs carry it. */
export function readToolOutput(content: unknown): ToolOutput {
  if (isBlock(content) && typeof content.type === "string") return readBlocks([content]);
  // Blocks have a type; a list without is data that the tool returned.
  if (Array.isArray(content) && content.every(isBlockOrText)) return readBlocks(content);
  return { text: dataText(content), files: [] };
}

/** An answer that is any value of the tool's own, such as an AI SDK tool returns it. */
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
