/** Detects the separator: the one that gives rows of equal length. */
import { CsvScanner } from "./scan-csv.ts";

export const DELIMITERS = { ",": "comma", "\t": "tab", ";": "semicolon", "|": "pipe" } as const;
export type Delimiter = keyof typeof DELIMITERS;

interface Dialect {
  readonly delimiter: Delimiter;
  readonly columns: number;
  /** Share of the rows with the most common number of fields. */
  readonly agreement: number;
  readonly rows: readonly (readonly string[])[];
}

const ROWS_LOOKED_AT = 200;
const COMMENT = /^(?:#[^\n]*\n)+/;

export function detectDialect(head: string): Dialect {
  const lines = head.replace(COMMENT, "");
  const all = (Object.keys(DELIMITERS) as Delimiter[]).map((delimiter) => tryDelimiter(lines, delimiter));
  return all.reduce((best, one) => (worth(one) > worth(best) ? one : best));
}

function worth({ columns, agreement }: Dialect): number {
  return columns < 2 ? 0 : agreement ** 2 * Math.log2(columns + 1);
}

/** Stricter without a matching file name: prose contains commas, too. */
export function looksLikeCsv(head: string, isNamedSo: boolean): boolean {
  const { columns, agreement, rows, delimiter } = detectDialect(head);
  if (isNamedSo) return rows.length > 0 && (columns === 1 || agreement >= 0.5) && !/^\s*[<{]/.test(head);
  const isTelling = delimiter === "," ? columns >= 3 : columns >= 2;
  return isTelling && rows.length >= 4 && agreement >= 0.97 && isTabular(rows);
}

/** Fields of a table are short. */
function isTabular(rows: readonly (readonly string[])[]): boolean {
  const fields = rows.flat();
  return fields.reduce((sum, field) => sum + field.length, 0) < 40 * fields.length;
}

function tryDelimiter(text: string, delimiter: Delimiter): Dialect {
  const rows: string[][] = [];
  let row: string[] = [];
  const scanner = new CsvScanner(delimiter, {
    field: (field) => row.push(field),
    endRow: () => {
      if (rows.length < ROWS_LOOKED_AT) rows.push(row);
      row = [];
    },
  });
  scanner.write(text);
  if (rows.length < 2) scanner.finish();
  const widths = new Map<number, number>();
  for (const { length } of rows) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [columns, times] = [...widths].toSorted((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return { delimiter, columns, agreement: rows.length === 0 ? 0 : times / rows.length, rows };
}
