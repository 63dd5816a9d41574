/** Reads data that may be damaged: unreadable rows are reported, and the rest is checked. */
import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { Page, ScopedStore, StoredConversation, StoredMessage } from "../../store/store.ts";
import type { ReportProblem } from "./integrity.ts";

/** An error that may be the damage itself, or its effect on the code. */
function isDamage(error: unknown): boolean {
  return !isPalimpsestError(error) || error.code === "store-corrupt" || error.code === "internal";
}

export async function unlessUnreadable(
  what: string,
  { report }: { readonly report: ReportProblem },
  look: () => Promise<void>,
): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!isDamage(error)) throw error;
    report({ message: `${what} could not be read completely: ${messageOf(error)}` });
  }
}

/** An unreadable page is read message by message. */
export async function* readableMessages(
  scoped: ScopedStore,
  { id, messageCount }: StoredConversation,
  report: ReportProblem,
): AsyncGenerator<StoredMessage> {
  for (let from: number | null = 1; from !== null; ) {
    const start: number = from;
    const read = (limit?: number): Promise<Page<StoredMessage>> =>
      scoped.messages(id, { from: start, payloads: "sound", ...(limit === undefined ? {} : { limit }) });
    try {
      const page = await read();
      yield* page.rows;
      from = page.next;
    } catch (error) {
      if (!isDamage(error)) throw error;
      const one = await read(1).catch(() => null);
      if (one === null) report({ seq: start, message: `it cannot be read: ${messageOf(error)}` });
      else yield* one.rows;
      from = one === null ? start + 1 : one.next;
      if (from !== null && from > messageCount) return;
    }
  }
}
