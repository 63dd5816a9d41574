import { archiveLines, emptyReport } from "../../src/store/archive.ts";
import type { DumpOptions, Store } from "../../src/store/store.ts";

/** Every row of a store as text: two of them are equal when nothing changed in between. */
export async function archiveOf(store: Store, options: DumpOptions = {}): Promise<string> {
  const report = emptyReport("");
  let text = "";
  for await (const line of archiveLines(store, report, options)) text += line;
  return text;
}
