import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import type { PartOf } from "../../types.ts";
import { requireText } from "../block.ts";
import { NO_WORDS, type PartDefinition } from "./part-definition.ts";

/** Not written by the model and not sent to it; the hosts that record failures do not send them either. */
export const failureDefinition: PartDefinition<PartOf<"failure">> = {
  ...NO_WORDS,
  read: (block) => [{ type: "failure", error: requireText(block, "error") }],
  searchable: ({ error }) => [error],
  texts: ({ error }) => [{ label: ["failed"], text: error }],
  cut: (part, room) => ({ ...part, error: part.error.slice(0, room) }),
  inSource: ({ error }, show) => `the answer failed: ${show(error, "output")}`,
  quotable: ({ error }) => error,
  withoutCredentials: (part) => ({ ...part, error: hideCredentials(part.error) }),
};
