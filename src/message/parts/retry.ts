import type { PartOf } from "../../types.ts";
import { optionalNumber, optionalText } from "../block.ts";
import { hideInText, NO_WORDS, type PartDefinition } from "./part-definition.ts";

export const retryDefinition: PartDefinition<PartOf<"retry">> = {
  ...NO_WORDS,
  read: (block) => [
    { type: "retry", attempt: optionalNumber(block, "attempt"), error: optionalText(block, "error") },
  ],
  searchable: ({ error }) => [error],
  texts: ({ attempt, error }) => [{ label: ["retry", attempt?.toString() ?? null], text: error ?? "" }],
  cut: (part, room) => ({ ...part, error: part.error?.slice(0, room) ?? null }),
  inSource: ({ error }, show) => `retry after: ${show(error ?? "an error", "output")}`,
  quotable: ({ error }) => error ?? "",
  withoutCredentials: (part) => ({ ...part, error: hideInText(part.error) }),
  inWords: ({ error }) => (error === null ? "" : `[Tried again after: ${error}]`),
};
