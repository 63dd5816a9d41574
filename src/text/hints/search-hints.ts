/** Suggestions for searches that found nothing, or not everything. */
import { count, counted } from "../counted.ts";
import { quoteName } from "../quote-text.ts";

/** For searches without hits: escapes in the JSON of a call's arguments are searched as decoded text. */
export function escapeHint(pattern: string): string {
  return /\\["\\/nrtu]/.test(pattern)
    ? ' In arguments of tools, escapes such as \\n and \\" are undone before they are searched: look for what they mean.'
    : "";
}

/** For searches without hits: mentions files and how to search them. */
export function filesApartHint(
  apart: { readonly files: number; readonly large: number } | null,
  how: string,
): string {
  if (apart === null) return "";
  const large =
    apart.large === 0 ? "" : ` (${count(apart.large)} too large to be searched with their messages)`;
  const [are, them] = apart.files === 1 ? ["is", "it"] : ["are", "them"];
  return ` There ${are} also ${counted(apart.files, "file")}${large}; look inside ${them} with: ${how}`;
}

/** Describes what a semantic search did not cover, with the command that helps; empty if it covered everything. */
export function meaningHint(
  meaning: { readonly notEmbedded: number; readonly problem: string | null } | null,
  command?: string,
): string {
  if (meaning === null) return "";
  if (meaning.problem !== null)
    return ` Only words were searched, because the embedding model does not answer: ${meaning.problem}.`;
  if (meaning.notEmbedded === 0) return "";
  const help = command === undefined ? "" : ` (${command})`;
  return ` ${counted(meaning.notEmbedded, "message has", "messages have")} no embedding yet and could only be found by words${help}.`;
}

/** A sentence after "nothing was found" with similar tool names; empty if there are none. */
export function nearToolsHint(tool: string | undefined, names: readonly string[]): string {
  if (tool === undefined || names.length === 0) return "";
  return ` No tool is called ${quoteName(tool)} there; did you mean ${names.map(quoteName).join(" or ")}?`;
}
