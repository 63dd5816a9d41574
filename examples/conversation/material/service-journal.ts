/** The journal of the ingest service on an ordinary evening: the kind of log in which nothing is wrong. */
import { seededRandom } from "./random.ts";

export function serviceJournal(): string {
  const random = seededRandom(640);
  const lines: string[] = [];
  let rows = 0;
  let pending = 0;
  for (
    let time = Date.parse("2026-03-09T18:01:00Z");
    time < Date.parse("2026-03-09T21:31:00Z");
    time += 150_000
  ) {
    const moment = new Date(time + random.between(0, 1900)).toISOString();
    const fresh = random.between(14, 16);
    rows += fresh;
    pending = random.between(0, 1);
    lines.push(
      `${moment.slice(0, 19)}+0000 heron lantern-ingest[2214]: spool mast-2026-03-09.csv: +${fresh} rows (${rows} tonight), ${pending} partial line held back, ${random.between(9, 31)} ms`,
    );
  }
  return lines.join("\n");
}
