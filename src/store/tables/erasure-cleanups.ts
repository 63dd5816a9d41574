/** Since when the store's own files may contain erased text. Deleted after cleaning. */
import type { Scope } from "../../types.ts";
import type { Port, Reader } from "../port.ts";
import { statement } from "../statement.ts";

const MARK = statement(
  () => `INSERT INTO erasure_cleanups (tenant, at, step) VALUES ($1, $2, 'files')
    ON CONFLICT (tenant) DO UPDATE SET at = excluded.at, step = excluded.step`,
);

export function markCleanup(port: Port, { tenant }: Scope, at: string): void {
  port.send(MARK, tenant, at);
}

const SINCE = statement(() => "SELECT at FROM erasure_cleanups WHERE tenant = $1");

/** Since when the files may contain erased text of this tenant; null if they are clean. */
export async function uncleanedSince(reader: Reader, { tenant }: Scope): Promise<string | null> {
  return (await reader.one<{ at: string }>(SINCE, tenant))?.at ?? null;
}
