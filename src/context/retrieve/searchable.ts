/** What can be found in a message or a summary: all its words, with names, arguments and answers of tools. */
import type { StoredDocument } from "../../store/search-store.ts";
import type { StoredMessage, StoredSummary } from "../../store/store.ts";
import { textOfParts } from "../ingest/read-parts.ts";
import { partsOf } from "../ingest/stored-value.ts";
import type { IndexedDocument } from "./index/build-segment.ts";

export function textOfMessage({ format, content }: StoredMessage): string {
  return content === null ? "" : textOfParts(partsOf(format, content));
}

export function textOfDocument(document: StoredDocument): string {
  return "message" in document ? textOfMessage(document.message) : (document.summary.content ?? "");
}

export function indexedMessage(message: StoredMessage, tools: readonly string[]): IndexedDocument {
  return {
    time: Date.parse(message.createdAt),
    speaker: message.role,
    tools,
    format: message.format,
    content: message.content,
  };
}

/** A summary stands at the time of the newest message it covers. */
export function indexedSummary({ latestAt, content }: StoredSummary): IndexedDocument {
  return { time: Date.parse(latestAt), speaker: "summary", tools: [], format: null, content };
}

export function toolsOf({ parts }: StoredMessage): string[] {
  return [...new Set(parts.flatMap(({ toolName }) => toolName ?? []))];
}
