import type { Page } from "./store.ts";

/** Every row of a paged read, with one page in memory at a time. */
export async function* everyRow<Row>(
  read: (from: number) => Promise<Page<Row>>,
  start = 0,
): AsyncIterable<Row> {
  for await (const rows of everyPage(read, start)) yield* rows;
}

/** The same by pages: for many small rows, where passing on each one would take longer than processing it. */
export async function* everyPage<Row>(
  read: (from: number) => Promise<Page<Row>>,
  start = 0,
): AsyncIterable<readonly Row[]> {
  for (let from: number | null = start; from !== null; ) {
    const page: Page<Row> = await read(from);
    yield page.rows;
    from = page.next;
  }
}
