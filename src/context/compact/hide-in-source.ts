/**
 * A source without its credentials, for summaries that repeat its text: such text is shown without a request and
 * stays in the context. Names of files and tools pass the same rule as in references.
 */

import { HIDDEN } from "../../text/credentials/credential-words.ts";
import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import { shownFileName, shownTool } from "../../text/credentials/names-in-references.ts";
import { namesCredential } from "../../text/credentials/safe-to-show.ts";
import type { Part } from "../../types.ts";
import type { SummarySource } from "./source.ts";
import { isPathArgument, readArguments } from "./tool-arguments.ts";

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
  switch (part.type) {
    case "text":
    case "reasoning":
    case "compaction":
    case "other":
      return { ...part, text: hideCredentials(part.text) };
    case "tool":
      return {
        ...part,
        name: shownTool(part.name),
        input: part.input === null ? null : hideInArguments(part.input),
        output: hideInText(part.output),
      };
    case "file":
      return { ...part, name: shownFileName(part.name), url: hideInText(part.url) };
    case "patch":
      return { ...part, files: part.files.map(shownPath) };
    case "subtask":
      return {
        ...part,
        prompt: hideCredentials(part.prompt),
        description: hideInText(part.description),
      };
    case "retry":
      return { ...part, error: hideInText(part.error) };
    default:
      return part;
  }
}

function hideInText(text: string | null): string | null {
  return text === null ? null : hideCredentials(text);
}

function shownPath(path: string): string {
  return shownFileName(path) ?? HIDDEN;
}

/** As JSON again: other readers look for a path or a command in it. */
function hideInArguments(input: string): string {
  const fields = readArguments(input);
  if (fields === undefined) return hideCredentials(input);
  return JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, hideInValue(name, value)])));
}

function hideInValue(name: string, value: unknown): unknown {
  if (typeof value === "string") {
    if (namesCredential(name)) return HIDDEN;
    return isPathArgument(name) && !value.includes("://") ? shownPath(value) : hideCredentials(value);
  }
  if (Array.isArray(value)) return value.map((item) => hideInValue(name, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, hideInValue(key, inside)]));
}
