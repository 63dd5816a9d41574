import type { PartOf } from "../../types.ts";
import { otherPart } from "../block.ts";
import { IS_TEXT, type PartDefinition } from "./part-definition.ts";

/** A block of unknown type. */
export const otherDefinition: PartDefinition<PartOf<"other">> = {
  ...IS_TEXT,
  read: (block) => [otherPart(block)],
  texts: ({ blockType, text }) => [{ label: ["block", blockType], text }],
  quotable: () => "",
};
