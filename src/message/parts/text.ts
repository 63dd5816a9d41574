import type { PartOf } from "../../types.ts";
import { requireText } from "../block.ts";
import { IS_TEXT, type PartDefinition } from "./part-definition.ts";

/** Prefix of text that a host added to a message; no participant wrote it. */
export const HOST_NOTE = "(added by the host) ";

export const textDefinition: PartDefinition<PartOf<"text">> = {
  ...IS_TEXT,
  read(block) {
    const text = requireText(block, "text");
    return [block.synthetic === true ? { type: "text", text, synthetic: true } : { type: "text", text }];
  },
  texts: ({ text, synthetic }) => [{ label: synthetic === true ? ["added by the host"] : null, text }],
  inSource: ({ text, synthetic }, show) => (synthetic === true ? HOST_NOTE : "") + show(text, "text"),
};
