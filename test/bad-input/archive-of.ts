import { archiveLines } from "../../src/store/archive.ts";
import type { Store } from "../../src/store/store.ts";

/** Every row of a store as text: two of them are equal when nothing changed in between. */
export async function archiveOf(store: Store): Promise<string> {
  const report = { file: "", rows: 0, bytes: 0, conversations: 0, messages: 0, sha256: "" };
  let text = "";
  for await (const line of archiveLines(store, report)) text += line;
  return text;
}
