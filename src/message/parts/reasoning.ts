import type { PartOf } from "../../types.ts";
import { isBlock, requireText, textOf } from "../block.ts";
import { IS_TEXT, type PartDefinition } from "./part-definition.ts";

export const reasoningDefinition: PartDefinition<PartOf<"reasoning">> = {
  ...IS_TEXT,
  /** AI SDK and our own: text. OpenAI: a list of summaries and perhaps the reasoning itself; both may be encrypted. */
  read(block) {
    if (block.summary === undefined && block.content === undefined)
      return [{ type: "reasoning", text: requireText(block, "text") }];
    const texts = [...textsOf(block.summary), ...textsOf(block.content)];
    return [{ type: "reasoning", text: texts.join("\n") }];
  },
  texts: ({ text }) => (text === "" ? [] : [{ label: ["reasoning"], text }]),
  inSource: ({ text }, show) => show(text, "reasoning"),
  inWords: () => "",
};

function textsOf(blocks: unknown): readonly string[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.map((block) => (isBlock(block) ? textOf(block.text) : null)).filter((text) => text !== null);
}
