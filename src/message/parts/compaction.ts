import type { PartOf } from "../../types.ts";
import { Misfit, optionalText } from "../block.ts";
import { IS_TEXT, type PartDefinition } from "./part-definition.ts";

export const compactionDefinition: PartDefinition<PartOf<"compaction">> = {
  ...IS_TEXT,
  /** Providers' own compaction blocks have `content` but no requester: providers compact automatically. */
  read(block) {
    const auto = block.auto ?? true;
    if (typeof auto !== "boolean") throw new Misfit(".auto", auto, "true or false");
    const text = optionalText(block, "text") ?? optionalText(block, "content") ?? "";
    return [{ type: "compaction", auto, text }];
  },
  texts: ({ text }) => [{ label: ["summary by the host"], text }],
};
