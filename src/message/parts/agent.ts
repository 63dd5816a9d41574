import type { PartOf } from "../../types.ts";
import { optionalText } from "../block.ts";
import { hideInText, NO_WORDS, type PartDefinition } from "./part-definition.ts";

export const agentDefinition: PartDefinition<PartOf<"agent">> = {
  ...NO_WORDS,
  read: (block) => [{ type: "agent", name: optionalText(block, "name") }],
  searchable: ({ name }) => [name],
  texts: ({ name }) => [{ label: ["agent", name], text: null }],
  inSource: ({ name }) => (name === null ? "" : `agent ${name}`),
  withoutCredentials: (part) => ({ ...part, name: hideInText(part.name) }),
};
