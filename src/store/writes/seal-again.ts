/** Seals rows again after an erasure removed a part of them, so that damage to the rest is detected. */
import type { Port } from "../port.ts";
import { keyOf, type SealedRow, sealOf, selectUnsealed, updateSeal } from "../sealed-table.ts";
import { statement } from "../statement.ts";
import { SEALED_EVENTS } from "../tables/memory-events.ts";
import { SEALED_SUMMARIES } from "../tables/summaries.ts";
import { SEALED_LINES } from "../tables/transcript-lines.ts";
import { SEALED_TRANSCRIPTS } from "../tables/transcripts.ts";
import { SEALED_TURNS } from "../tables/turns.ts";

const UNSEALED = [SEALED_TURNS, SEALED_SUMMARIES, SEALED_TRANSCRIPTS, SEALED_LINES, SEALED_EVENTS].map(
  (sealed) => ({
    sealed,
    select: statement((d) => selectUnsealed(sealed, d)),
    update: statement((d) => updateSeal(sealed, d)),
  }),
);

export async function sealAgain(port: Port, tenant: string): Promise<void> {
  for (const { sealed, select, update } of UNSEALED)
    for (const row of await port.rows<SealedRow>(select, tenant))
      port.send(update, ...keyOf(sealed, port.dialect, row), sealOf(sealed, row));
}
