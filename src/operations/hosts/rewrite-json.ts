/**
 * Changes single values in the text of a JSON file. All other text is unchanged, including the format of numbers, comments,
 * indentation, line ends. `jsonc-parser` finds the places; its own edits would format whole lines and drop comments.
 */

import { isDeepStrictEqual } from "node:util";
import { createScanner, type Node, parseTree } from "jsonc-parser";
import { isObject } from "./json-values.ts";

type Path = readonly (string | number)[];

interface Change {
  readonly at: Path;
  /** Undefined: the value is removed. */
  readonly value: unknown;
}

/** `before` is the parsed text, and `after` the value that the new text must have. */
export function rewriteJson(text: string, before: unknown, after: unknown): string {
  let changed = text;
  for (const change of changesOf(before, after, [])) changed = withChange(changed, change);
  return changed;
}

function* changesOf(before: unknown, after: unknown, at: Path): Generator<Change> {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesOf(before[name], after[name], [...at, name]);
  } else if (Array.isArray(before) && Array.isArray(after)) yield* changesOfList(before, after, at);
  else yield { at, value: after };
}

/** Removed elements, starting with the last one, and then appended ones. */
function* changesOfList(before: readonly unknown[], after: readonly unknown[], at: Path): Generator<Change> {
  const isIn = (list: readonly unknown[], value: unknown) =>
    list.some((one) => isDeepStrictEqual(one, value));
  const kept = before.filter((value) => isIn(after, value));
  if (before.length === after.length)
    for (const [i, value] of after.entries()) yield* changesOf(before[i], value, [...at, i]);
  else if (!isDeepStrictEqual(kept, after.slice(0, kept.length))) yield { at, value: after };
  else {
    for (const [i, value] of [...before.entries()].toReversed())
      if (!isIn(after, value)) yield { at: [...at, i], value: undefined };
    for (const [i, value] of after.entries()) if (i >= kept.length) yield { at: [...at, i], value };
  }
}

function withChange(text: string, { at, value }: Change): string {
  const name = at.at(-1);
  const container = nodeAt(parseTree(text, [], { allowTrailingComma: true }), at.slice(0, -1));
  const place = name === undefined ? undefined : placeOf(container, name);
  const node = place?.type === "property" ? place.children?.[1] : place;
  if (container === undefined || name === undefined) return text;
  if (value === undefined) return place === undefined ? text : without(text, container, place);
  if (node === undefined) return withNew(text, container, name, value);
  const written = writtenAs(value, text, indentAt(text, node.offset));
  return text.slice(0, node.offset) + written + text.slice(endOf(node));
}

function nodeAt(root: Node | undefined, at: Path): Node | undefined {
  let node = root;
  for (const name of at) {
    const place = placeOf(node, name);
    node = place?.type === "property" ? place.children?.[1] : place;
  }
  return node;
}

/** If a key occurs twice, the last one counts. */
function placeOf(container: Node | undefined, name: string | number): Node | undefined {
  if (typeof name === "number") return container?.children?.[name];
  return container?.children?.findLast(({ children }) => children?.[0]?.value === name);
}

function withNew(text: string, container: Node, name: string | number, value: unknown): string {
  const end = endOf(container) - 1;
  const last = container.children?.at(-1);
  const from = last === undefined ? container.offset + 1 : endOf(last);
  const comma = last === undefined ? -1 : commaAfter(text, last);
  const isOnOneLine = last !== undefined && !text.slice(container.offset, last.offset).includes("\n");
  const outer = indentAt(text, container.offset);
  const indent = last === undefined ? outer + unitOf(text) : indentAt(text, last.offset);
  const key = typeof name === "number" ? "" : `${JSON.stringify(name)}: `;
  const item = key + (isOnOneLine ? JSON.stringify(value) : writtenAs(value, text, indent));
  const first = comma < 0 && last !== undefined ? "," : "";
  const trailing = comma < 0 ? "" : ",";
  // Comments stay next to the value that they describe.
  const after = isOnOneLine ? Math.max(from, comma + 1) : from + text.slice(from, end).trimEnd().length;
  const gap = isOnOneLine ? " " : lineEndOf(text) + indent;
  const rest = last === undefined ? lineEndOf(text) + outer + text.slice(end) : text.slice(after);
  return text.slice(0, from) + first + text.slice(from, after) + gap + item + trailing + rest;
}

function without(text: string, container: Node, place: Node): string {
  const comma = commaAfter(text, place);
  const before = container.children?.[(container.children?.indexOf(place) ?? 0) - 1];
  const end = comma < 0 ? endOf(place) : comma + 1;
  const [first, last] = [container.offset + 1, endOf(container) - 1];
  if ((text.slice(first, place.offset) + text.slice(end, last)).trim() === "")
    return text.slice(0, first) + text.slice(last);
  const lead = text.slice(0, place.offset).match(/(?:\r?\n)?[ \t]*$/)?.[0].length ?? 0;
  const kept = text.slice(0, place.offset - lead);
  const rest = text.slice(end);
  if (comma >= 0 || before === undefined) return kept + rest;
  const spare = commaAfter(text, before);
  return kept.slice(0, spare) + kept.slice(spare + 1) + rest;
}

/** The position of the next comma; -1 if there is none. */
function commaAfter(text: string, node: Node): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : -1;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function writtenAs(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", lineEndOf(text) + indent);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

function unitOf(text: string): string {
  return /^[^\S\n]*[{[]\s*?\n([ \t]+)/.exec(text)?.[1] ?? "  ";
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}
