import type { PartOf } from "../../types.ts";
import { isBlock, Misfit, optionalNumber, optionalText } from "../block.ts";
import { NO_WORDS, type PartDefinition } from "./part-definition.ts";

export const stepStartDefinition: PartDefinition<PartOf<"step_start">> = {
  ...NO_WORDS,
  read: () => [{ type: "step_start" }],
  texts: () => [],
  withoutCredentials: (part) => part,
};

export const stepFinishDefinition: PartDefinition<PartOf<"step_finish">> = {
  ...NO_WORDS,
  read(block) {
    optionalNumber(block, "cost");
    if (block.tokens !== undefined && block.tokens !== null && !isBlock(block.tokens))
      throw new Misfit(".tokens", block.tokens, "an object of token counts");
    return [{ type: "step_finish", reason: optionalText(block, "reason") }];
  },
  texts: ({ reason }) => (reason === null ? [] : [{ label: ["step finished", reason], text: null }]),
  withoutCredentials: (part) => part,
};
