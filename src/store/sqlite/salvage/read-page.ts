/**
 * Reads one page of a tree: records, and the pages below it. Cells that cannot be read are left out and the others are still
 * returned; cells missing in the page's own list are searched for in the gaps between other cells.
 */
import type { PageFile } from "./page-file.ts";
import { type RecordValue, readRecord, readVarint } from "./read-record.ts";

export const TABLE_LEAF = 0x0d;
export const TABLE_INTERIOR = 0x05;
export const INDEX_LEAF = 0x0a;
export const INDEX_INTERIOR = 0x02;

export interface FoundRecord {
  /** Null in an index, and in a table without row ids. */
  readonly rowid: number | null;
  readonly values: readonly RecordValue[];
}

export interface PageContent {
  readonly records: readonly FoundRecord[];
  readonly children: readonly number[];
  /** Cells that the page lists but that cannot be read. */
  readonly unreadable: number;
}

/** The first page of a file starts with the header of the file. */
const FILE_HEADER = 100;

export function pageType(bytes: Buffer, number: number): number {
  return bytes[headerOf(number)] ?? 0;
}

/** `type`: the assumed type of the page, whatever its own first byte is. */
export function readPage(file: PageFile, number: number, type: number): PageContent {
  const bytes = file.page(number);
  const isInterior = type === TABLE_INTERIOR || type === INDEX_INTERIOR;
  const header = headerOf(number);
  const list = header + (isInterior ? 12 : 8);
  const cells = new Map<number, Cell>();
  let unreadable = 0;
  for (let index = 0; index < cellCount(bytes, header, list); index++) {
    const start = bytes.readUInt16BE(list + 2 * index);
    const cell = readCell(file, bytes, start, type);
    if (cell === undefined) unreadable++;
    else cells.set(start, cell);
  }
  if (unreadable > 0 && !isInterior) findLostCells(file, bytes, header, type, cells);
  const inOrder = [...cells].toSorted(([a], [b]) => a - b).map(([, cell]) => cell);
  const children = inOrder.flatMap(({ child }) => child ?? []);
  if (isInterior) children.push(bytes.readUInt32BE(header + 8));
  return { records: inOrder.flatMap(({ record }) => record ?? []), children, unreadable };
}

function headerOf(number: number): number {
  return number === 1 ? FILE_HEADER : 0;
}

/**
 * The count in the page header, if it is possible. Zero is possible only if the header also says that no byte is in use.
 * Otherwise the plausible entries of the cell list are counted.
 */
function cellCount(bytes: Buffer, header: number, list: number): number {
  const told = bytes.readUInt16BE(header + 3);
  const room = Math.floor((bytes.length - list) / 2);
  if (told > 0 && told * 4 <= bytes.length - list) return told;
  if (told === 0 && bytes.readUInt16BE(header + 5) === bytes.length % 65_536) return 0;
  let count = 0;
  while (count < room && bytes.readUInt16BE(list + 2 * count) > list) count++;
  return count;
}

interface Cell {
  readonly record: FoundRecord | null;
  readonly child: number | null;
  readonly end: number;
}

function readCell(file: PageFile, bytes: Buffer, start: number, type: number): Cell | undefined {
  if (start < 8 || start + 4 > bytes.length) return undefined;
  const isInterior = type === TABLE_INTERIOR || type === INDEX_INTERIOR;
  const child = isInterior ? bytes.readUInt32BE(start) : null;
  const after = start + (isInterior ? 4 : 0);
  if (type === TABLE_INTERIOR) return { record: null, child, end: after };
  const size = readVarint(bytes, after);
  const key = type === TABLE_LEAF && size !== undefined ? readVarint(bytes, size.end) : undefined;
  if (size === undefined || (type === TABLE_LEAF && key === undefined)) return undefined;
  const place = key?.end ?? size.end;
  const found = readPayload(file, bytes, place, size.value, type === TABLE_LEAF);
  const values = found === undefined ? undefined : readRecord(found.payload);
  if (found === undefined || values === undefined)
    return child === null ? undefined : { record: null, child, end: place };
  return { record: { rowid: key?.value ?? null, values }, child, end: found.end };
}

/** A payload that is too long for its page continues in a chain of other pages. */
function readPayload(
  file: PageFile,
  bytes: Buffer,
  start: number,
  size: number,
  isTable: boolean,
): { readonly payload: Buffer; readonly end: number } | undefined {
  const usable = file.pageSize;
  if (size < 1 || size > usable * file.pageCount) return undefined;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) {
    const end = start + size;
    return end > bytes.length ? undefined : { payload: bytes.subarray(start, end), end };
  }
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const spread = least + ((size - least) % (usable - 4));
  const own = spread <= most ? spread : least;
  if (start + own + 4 > bytes.length) return undefined;
  const pieces = [bytes.subarray(start, start + own)];
  let left = size - own;
  for (let next = bytes.readUInt32BE(start + own); left > 0; ) {
    if (next < 1 || next > file.pageCount) return undefined;
    const page = file.page(next);
    pieces.push(page.subarray(4, 4 + Math.min(left, usable - 4)));
    left -= usable - 4;
    next = page.readUInt32BE(0);
  }
  return { payload: Buffer.concat(pieces), end: start + own + 4 };
}

/** Cells are contiguous up to the end of the page: a cell missing in the list starts where another one ends. */
function findLostCells(
  file: PageFile,
  bytes: Buffer,
  header: number,
  type: number,
  cells: Map<number, Cell>,
): void {
  const starts = [...cells.keys()].toSorted((a, b) => a - b);
  const first = bytes.readUInt16BE(header + 5);
  for (const place of [first, ...[...cells.values()].map((cell) => cell.end)]) {
    if (place >= bytes.length || cells.has(place)) continue;
    const next = starts.find((start) => start > place) ?? bytes.length;
    const cell = readCell(file, bytes, place, type);
    if (cell !== undefined && cell.end <= next) cells.set(place, cell);
  }
}
