import { everyRow } from "../../../store/every-row.ts";
import type { ScopedStore, ShapeItem } from "../../../store/store.ts";

const PAGE = 10_000;

/** The whole context in the form that planning uses. */
export async function readShape(store: ScopedStore, conversation: string): Promise<ShapeItem[]> {
  const items: ShapeItem[] = [];
  for await (const item of everyRow((from) => store.contextShape(conversation, { from, limit: PAGE })))
    items.push(item);
  return items;
}
