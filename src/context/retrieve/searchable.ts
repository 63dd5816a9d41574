/** The searchable text of a message or a summary: all its words, with names, arguments and results of tools. */

import { textOfParts } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import type { StoredDocument } from "../../store/search-store.ts";
import type { StoredMessage, StoredSummary } from "../../store/store.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import { isSaid, type MessageFormat } from "../../types.ts";
import type { IndexedDocument } from "./index/build-segment.ts";

/** The stored content of a message with its format, or of a summary; null once erased. */
interface Searchable {
  readonly format: MessageFormat | null;
  readonly content: string | Uint8Array | null;
}

export function textOf({ format, content }: Searchable): string {
  if (content === null) return "";
  if (format !== null) return textOfParts(partsOf(format, content));
  return typeof content === "string" ? content : decodeLeniently(content);
}

export function textOfDocument(document: StoredDocument): string {
  return "message" in document
    ? textOf(document.message)
    : textOf({ format: null, content: document.summary.content });
}

export function indexedMessage(message: StoredMessage, tools: readonly string[]): IndexedDocument {
  return {
    time: Date.parse(message.createdAt),
    speaker: message.role,
    tools,
    format: message.format,
    content: isSaid(message.excluded) ? message.content : null,
  };
}

/** The time of a summary is that of the newest message it covers. */
export function indexedSummary({ latestAt, content }: StoredSummary): IndexedDocument {
  return { time: Date.parse(latestAt), speaker: "summary", tools: [], format: null, content };
}
