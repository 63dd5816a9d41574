import type { Page } from "./store.ts";

/** Every row behind a paged read, one page in memory at a time. */
export async function* everyRow<Row>(
  read: (from: number) => Promise<Page<Row>>,
  start = 0,
): AsyncIterable<Row> {
  for await (const rows of everyPage(read, start)) yield* rows;
}

/** The same a page at a time: for many small rows, of which each would take longer to hand over than to look at. */
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
