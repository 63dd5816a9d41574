/**
 * Finds the rows of every table in a damaged file. Trees are followed from their roots as far as possible; pages that no tree
 * reaches any more are recognised by the form of their records, and left out if they fit two tables.
 */
import { MESSAGES_PER_CONVERSATION } from "../rows.ts";
import type { PageFile } from "./page-file.ts";
import {
  type FoundRecord,
  INDEX_INTERIOR,
  INDEX_LEAF,
  type PageContent,
  pageType,
  readPage,
  TABLE_INTERIOR,
  TABLE_LEAF,
} from "./read-page.ts";
import { isText, type RecordValue } from "./read-record.ts";
import { fits, type Shape } from "./table-shape.ts";

export interface FoundRows {
  readonly table: Shape;
  readonly records: readonly FoundRecord[];
}

/** Rebuilt from other tables: the rest of a damaged search index could only mislead. */
export const REBUILT: readonly string[] = [
  "search_runs",
  "search_pages",
  "search_segments",
  "search_progress",
  "memory_segments",
];

/** Receives a problem, and the tables that may have lost rows by it; none if every table may have. */
type OnDamage = (problem: string, tables: readonly string[]) => void;

/** Returns rows of tables and indexes, one page at a time. `onDamage` receives cells and pages of tables that cannot be read. */
export function* findRows(
  file: PageFile,
  shapes: readonly Shape[],
  onDamage: OnDamage,
): Generator<FoundRows> {
  const roots = rootsIn(file);
  const taken = new Set<number>([1]);
  for (const shape of shapes) {
    const told = roots.get(shape.name);
    // An index is rebuilt in any case.
    const onLoss = isKept(shape) ? onDamage : () => {};
    // The root page of a table is taken from a new database as a guess: it may differ in this file.
    if (told === undefined && !isAt(file, shape, shape.rootPage)) continue;
    for (const records of walk(file, shape, told ?? shape.rootPage, taken, onLoss))
      yield { table: shape, records };
  }
  if (roots.size === 0)
    onDamage("the schema cannot be read: tables are reconstructed from the format of their rows", []);
  for (let number = 2; number <= file.pageCount; number++)
    if (!taken.has(number)) yield* recognise(file, shapes, number, onDamage);
}

function isKept({ name, isTable }: Shape): boolean {
  return isTable && !REBUILT.includes(name);
}

/** Whether the first rows of the tree that begins on this page can belong to the table. */
function isAt(file: PageFile, shape: Shape, number: number, depth = 0): boolean {
  if (number < 2 || number > file.pageCount || depth > DEEPEST) return false;
  const content = readAs(file, shape, number);
  if (content === undefined) return false;
  const [child] = content.children;
  if (content.records.length > 0) return hasOwnIds(shape, content.records);
  return child === undefined || isAt(file, shape, child, depth + 1);
}

/** No tree of SQLite is this deep. */
const DEEPEST = 20;

/** The root pages in the file's own schema, as far as it can be read. */
function rootsIn(file: PageFile): Map<string, number> {
  const roots = new Map<string, number>();
  const seen = new Set<number>();
  const visit = (number: number): void => {
    if (number < 1 || number > file.pageCount || seen.has(number)) return;
    seen.add(number);
    const { records, children } = readSchemaPage(file, number);
    for (const { values } of records) {
      const [, name, , root] = values;
      if (name !== undefined && name !== null && isText(name) && typeof root === "number")
        roots.set(name.text.toString(), root);
    }
    for (const child of children) visit(child);
  };
  visit(1);
  return roots;
}

/** If the first byte of the page is damaged, its type is derived from its cells. */
function readSchemaPage(file: PageFile, number: number): PageContent {
  const type = pageType(file.page(number), number);
  const leaf = readPage(file, number, TABLE_LEAF);
  const isLeaf = leaf.records.some(
    ({ values: [, name] }) => name !== undefined && name !== null && isText(name),
  );
  return type === TABLE_LEAF || (type !== TABLE_INTERIOR && isLeaf)
    ? leaf
    : readPage(file, number, TABLE_INTERIOR);
}

function* walk(
  file: PageFile,
  shape: Shape,
  number: number,
  taken: Set<number>,
  onDamage: OnDamage,
): Generator<readonly FoundRecord[]> {
  if (number < 2 || taken.has(number)) return;
  if (number > file.pageCount) {
    onDamage(`page ${number} of ${shape.name} is missing`, [shape.name]);
    return;
  }
  const content = readAs(file, shape, number);
  if (content === undefined) {
    onDamage(`page ${number} of ${shape.name} cannot be read`, [shape.name]);
    return;
  }
  taken.add(number);
  if (content.unreadable > 0)
    onDamage(`page ${number} of ${shape.name} has cells that cannot be read`, [shape.name]);
  const known = content.records.filter(({ values }) => fits(shape, values));
  if (known.length > 0) yield known;
  for (const child of content.children) yield* walk(file, shape, child, taken, onDamage);
}

/** A page whose first byte is damaged is read as the type that its records fit. */
function readAs(file: PageFile, shape: Shape, number: number): PageContent | undefined {
  const [leaf, interior] = shape.hasRowIds ? [TABLE_LEAF, TABLE_INTERIOR] : [INDEX_LEAF, INDEX_INTERIOR];
  const type = pageType(file.page(number), number);
  if (type === interior || type === leaf) {
    const content = readPage(file, number, type);
    const isOther = content.records.length > 0 && !content.records.some(({ values }) => fits(shape, values));
    return isOther ? undefined : content;
  }
  const content = readPage(file, number, leaf);
  return content.records.some(({ values }) => fits(shape, values)) ? content : undefined;
}

function* recognise(
  file: PageFile,
  shapes: readonly Shape[],
  number: number,
  onDamage: OnDamage,
): Generator<FoundRows> {
  const type = pageType(file.page(number), number);
  // An interior page of an index contains records; that of a table only refers to other pages.
  if (type !== TABLE_LEAF && type !== INDEX_LEAF && type !== INDEX_INTERIOR) return;
  const { records } = readPage(file, number, type);
  const similar = shapes.filter(
    (shape) => shape.hasRowIds === (type === TABLE_LEAF) && fitsMost(shape, records),
  );
  const possible = similar.length > 1 ? similar.filter((shape) => hasOwnIds(shape, records)) : similar;
  const [table] = possible;
  const names = possible.map(({ name }) => name);
  if (possible.length > 1 && possible.every(isKept))
    onDamage(`page ${number} has rows of ${names.join(" or ")}`, names);
  if (table === undefined || possible.length > 1 || !table.isTable) return;
  yield { table, records: records.filter(({ values }) => fits(table, values)) };
}

/** Ids of messages and memories start where those of conversations end. */
const LEAST_ID: Readonly<Record<string, number>> = {
  message_id: MESSAGES_PER_CONVERSATION,
  memory_id: MESSAGES_PER_CONVERSATION,
};
const MOST_ID: Readonly<Record<string, number>> = { conversation_id: MESSAGES_PER_CONVERSATION };

/** Whether the ids in most of the rows are possible values of their columns. */
function hasOwnIds({ columns }: Shape, records: readonly FoundRecord[]): boolean {
  const own = records.filter(({ values }) =>
    columns.every(({ name }, place) => {
      const value = values[place];
      if (typeof value !== "number") return true;
      return value >= (LEAST_ID[name] ?? value) && value < (MOST_ID[name] ?? Number.POSITIVE_INFINITY);
    }),
  );
  return own.length * 2 > records.length;
}

function fitsMost(shape: Shape, records: readonly { readonly values: readonly RecordValue[] }[]): boolean {
  const fitting = records.filter(({ values }) => fits(shape, values)).length;
  return fitting > 0 && fitting * 2 > records.length;
}
