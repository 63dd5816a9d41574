import type { PartOf } from "../../types.ts";
import { optionalText } from "../block.ts";
import { NO_WORDS, type PartDefinition } from "./part-definition.ts";

export const snapshotDefinition: PartDefinition<PartOf<"snapshot">> = {
  ...NO_WORDS,
  read: (block) => [{ type: "snapshot", hash: optionalText(block, "hash") }],
  searchable: ({ hash }) => [hash],
  texts: ({ hash }) => [{ label: ["snapshot", hash], text: null }],
  withoutCredentials: (part) => part,
};
