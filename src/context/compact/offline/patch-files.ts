import type { FileState } from "./file-operation.ts";

const HEADER = /^(?:\*\*\* )(Add|Update|Delete) File: ([^\n\\"]{1,300})/gm;
const STATES: Readonly<Record<string, FileState>> = { Add: "created", Update: "modified", Delete: "deleted" };

/** Files of an `apply_patch` envelope, which hosts send as text, inside JSON, or inside a shell command. */
export function filesOfPatch(input: string): { path: string; state: FileState }[] {
  if (!input.includes("*** ")) return [];
  // In JSON the line ends are escaped.
  const text = input.includes("\\n*** ") ? input.replaceAll("\\n", "\n") : input;
  const start = text.indexOf("*** Begin Patch");
  const body = start < 0 ? text : text.slice(start);
  return [...body.matchAll(HEADER)].map((match) => ({
    path: (match[2] ?? "").trim(),
    state: STATES[match[1] ?? ""] ?? "modified",
  }));
}
