/** The turns directly before and after a message, from the index alone: no document is read. */
import type { DocumentRef, DocumentRun } from "../../../store/search-store.ts";
import { speakerAt } from "../index/documents.ts";
import type { SegmentView } from "../segment-reader.ts";

export interface RefsAround {
  /** Nearest first. */
  readonly before: readonly DocumentRef[];
  readonly after: readonly DocumentRef[];
}

/** Maximum distance in messages. Tool results may be in between. */
const AROUND = 8;

interface PlacedRun extends DocumentRun {
  readonly start: number;
  readonly view: SegmentView;
}

export class SaidAround {
  readonly #runs = new Map<string, PlacedRun[]>();

  /** Limited to these conversations. */
  constructor(views: Iterable<SegmentView>, conversations: ReadonlySet<string>) {
    for (const view of views)
      for (const run of view.runs) {
        if (run.kind !== "message" || !conversations.has(run.conversation)) continue;
        const own = this.#runs.get(run.conversation) ?? [];
        own.push({ ...run, view });
        this.#runs.set(run.conversation, own);
      }
  }

  /** The neighbouring messages of people and assistants. */
  of({ conversation, kind, number }: DocumentRef): RefsAround {
    if (kind !== "message") return { before: [], after: [] };
    const refs = (step: number) =>
      Array.from({ length: AROUND }, (_, i) => number + step * (i + 1))
        .filter((seq) => this.#isSaid(conversation, seq))
        .map((seq) => ({ conversation, kind, number: seq }));
    return { before: refs(-1), after: refs(1) };
  }

  #isSaid(conversation: string, seq: number): boolean {
    const run = this.#runs.get(conversation)?.find(({ first, last }) => first <= seq && seq <= last);
    if (run === undefined) return false;
    const speaker = speakerAt(run.view.columns, run.start + seq - run.first);
    return speaker === "user" || speaker === "assistant";
  }
}
