/** Finds the stored message that a host now shows under another key: with an id, without one, or without its reasoning. */
import type { KnownMessage } from "./place-messages.ts";
import { mayBeShown, readViewKey, type ViewKey } from "./view-key.ts";

interface ShownRecord {
  readonly record: KnownMessage;
  readonly key: ViewKey;
}

export class ShownRecords {
  /** By content, in stored order; without erased messages. */
  readonly #bySaid: ReadonlyMap<string, readonly ShownRecord[]>;
  readonly #byId: ReadonlyMap<string, readonly ShownRecord[]>;

  constructor(records: Iterable<KnownMessage>) {
    const shown = [...records]
      .flatMap((record) => {
        const key = record.salt === null ? null : readViewKey(record.key);
        return key === null ? [] : { record, key };
      })
      .sort((a, b) => a.record.seq - b.record.seq);
    this.#bySaid = Map.groupBy(shown, ({ key }) => key.said);
    this.#byId = Map.groupBy(shown, ({ key }) => nameOf(key));
  }

  /** The next one after a seq that has the host's id and the same content. */
  withIdOf(key: string, afterSeq: number): KnownMessage | undefined {
    const shown = readViewKey(key);
    if (shown === null || shown.id === null) return undefined;
    return next(this.#byId.get(nameOf(shown)), shown, afterSeq, new Map());
  }

  /** The next one after a seq that has the same content and is not taken. */
  like(key: string, afterSeq: number, taken: ReadonlyMap<number, unknown>): KnownMessage | undefined {
    const shown = readViewKey(key);
    return shown === null ? undefined : next(this.#bySaid.get(shown.said), shown, afterSeq, taken);
  }
}

function nameOf({ said, id }: ViewKey): string {
  return `${said} ${id ?? ""}`;
}

function next(
  records: readonly ShownRecord[] = [],
  shown: ViewKey,
  afterSeq: number,
  taken: ReadonlyMap<number, unknown>,
): KnownMessage | undefined {
  let [first, end] = [0, records.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((records[middle]?.record.seq ?? 0) > afterSeq) end = middle;
    else first = middle + 1;
  }
  const isIt = ({ record, key }: ShownRecord) => !taken.has(record.seq) && mayBeShown(shown, key);
  return records.slice(first).find(isIt)?.record;
}
