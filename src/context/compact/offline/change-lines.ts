/**
 * Summarises a change to a file: the names that it declares and the comments that explain them. The code itself is in
 * the file; these lines say what to look for there.
 */
import { clip } from "../../../text/cut-text.ts";
import { argument, type ToolEvent } from "./tool-event.ts";

const LONGEST = 200;
const MOST = 24;
const OLD = ["old_string", "oldtext", "old_str", "old_text"];
const NEW = ["new_string", "newtext", "new_str", "new_text", "content", "file_text", "contents"];
const DECLARATION =
  /^(?:(?:export|default|async|public|private|protected|static|abstract|pub(?:\(\w+\))?|final)\s+)*(?:func|function|class|interface|struct|enum|trait|def|fn|type|module|namespace)\s+[(\w]/;
const COMMENT = /^(?:\/\/+!?|#+|\*|\/\*\*?|--|;+)\s+(?=\p{L}\S*\s+\S+\s+\S)/u;

export function changeLines(event: ToolEvent): string[] {
  const before = new Set(linesOf(argument(event, ...OLD) ?? ""));
  const added = linesOf(addedText(event)).filter((line) => !before.has(line));
  const telling = added.flatMap((line) => {
    if (DECLARATION.test(line)) return [line.replace(/\s*[{:]\s*$/, "")];
    return COMMENT.test(line) ? [line.replace(COMMENT, "").replace(/\s*\*\/$/, "")] : [];
  });
  return [...new Set(telling)].slice(0, MOST).map((line) => clip(line, LONGEST));
}

function addedText(event: ToolEvent): string {
  const text = argument(event, ...NEW);
  if (text !== undefined) return text;
  if (!event.input.includes("*** Begin Patch")) return "";
  const patch = event.input.includes("\\n*** ") ? event.input.replaceAll("\\n", "\n") : event.input;
  return patch
    .split("\n")
    .filter((line) => line.startsWith("+"))
    .map((line) => line.slice(1))
    .join("\n");
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
