/**
 * A source without its credentials, for summaries that repeat its text: such text is shown without a request and
 * stays in the context. Names of files and tools pass the same rule as in references.
 */
import { definitionOf } from "../../message/parts/index.ts";
import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import type { Part } from "../../types.ts";
import type { SummarySource } from "./source.ts";

export function hideInSource(source: SummarySource): SummarySource {
  return source.kind === "leaf"
    ? {
        ...source,
        messages: source.messages.map((message) => ({ ...message, parts: message.parts.map(hideInPart) })),
      }
    : {
        ...source,
        summaries: source.summaries.map((summary) => ({ ...summary, text: hideCredentials(summary.text) })),
      };
}

function hideInPart(part: Part): Part {
  return definitionOf(part).withoutCredentials(part);
}
