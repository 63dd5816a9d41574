/** Question sets with annotated evidence, in the format of the folder for measuring. */
import { readFileSync } from "node:fs";
import path from "node:path";

export interface Document {
  readonly id: string;
  readonly session: string;
  readonly role: string;
  readonly text: string;
  /** As the set writes it; not every document has one. */
  readonly time?: string | null;
}

export interface Query {
  readonly id: string;
  readonly type: string;
  readonly q: string;
  readonly ev: readonly string[];
}

export interface Conversation {
  readonly id: string;
  readonly docs: readonly Document[];
  readonly queries: readonly Query[];
}

const CLOCK_FIRST = /^(\d+:\d+ [ap]m) on (.*)$/;
const NUMBERS = /^(\d{4})[年/](\d+)[月/](\d+)日?\D*(\d+:\d+)$/u;

/** In UTC; null if it cannot be read. */
export function timeOf({ time }: Document): string | null {
  const [, clock = "", day = time?.replaceAll("-", " ") ?? ""] = CLOCK_FIRST.exec(time ?? "") ?? [];
  const [, year, month, date, hour] = NUMBERS.exec(time ?? "") ?? [];
  const written = year === undefined ? `${day} ${clock}` : `${year}-${month}-${date} ${hour}`;
  const milliseconds = Date.parse(`${written} UTC`);
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}

export function readSet(folder: string, name: string): readonly Conversation[] {
  const text = readFileSync(path.join(folder, `${name}.json`), "utf8");
  return (JSON.parse(text) as { readonly convs: readonly Conversation[] }).convs;
}
