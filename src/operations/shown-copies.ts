/** Copies of erased text, for people: how many of each kind, then each of them or only the first. */
import { andList } from "../text/and-list.ts";
import { count, counted } from "../text/counted.ts";
import { list } from "../text/terminal/table.ts";
import type { ErasedCopy } from "./erase-schema.ts";

const MOST_SHOWN = 10;
const KINDS = { exact: "exact copy", near: "near copy", part: "partial copy" } as const;

/** The most alike first. `heading` ends with a colon; `all` says how to list every copy. */
export function shownCopies(heading: string, copies: readonly ErasedCopy[], all?: string): string[] {
  if (copies.length === 0) return [];
  const byKind = Map.groupBy(copies, ({ kind }) => kind);
  const kinds = (["exact", "near", "part"] as const).filter((kind) => byKind.has(kind));
  const amounts = kinds.map((kind) =>
    counted(byKind.get(kind)?.length ?? 0, KINDS[kind], KINDS[kind].replace("copy", "copies")),
  );
  const sorted = kinds.flatMap((kind) => byKind.get(kind) ?? []);
  return firstOf(`${heading} ${andList(amounts)}`, sorted.map(shownCopy), all);
}

/** Without `all`, every item. */
function firstOf(heading: string, items: readonly string[], all?: string): string[] {
  const left = all === undefined ? 0 : Math.max(0, items.length - MOST_SHOWN);
  const shown = items.slice(0, items.length - left);
  return [...list(heading, shown), ...(left === 0 ? [] : [`  … and ${count(left)} more; ${all}`])];
}

function shownCopy({ id, type, transcript, line, kind }: ErasedCopy): string {
  const place = type === "line" ? `${id}, line ${line} of transcript ${transcript}` : id;
  return `${type === "title" ? `the title of ${id}` : place} (${KINDS[kind]})`;
}
