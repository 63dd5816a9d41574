import { counted } from "../counted.ts";

/** Says what a search by meaning did not reach, and the command that helps; nothing where it reached everything. */
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
