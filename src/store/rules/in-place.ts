import { PalimpsestError } from "../../errors.ts";
import type { SummarySources } from "../store.ts";
import type { SourceFacts } from "./summary-facts.ts";

/** An item of the context: a message by its seq, or a summary by its number. */
interface ShownItem {
  readonly seq: number | null;
  readonly summary_number: number | null;
}

/** Whether the items from the first source to the last are exactly the sources, one after the other. */
export function areInPlace(
  items: readonly ShownItem[],
  sources: SummarySources,
  facts: readonly SourceFacts[],
): boolean {
  const wanted = sources.type === "messages" ? sources.seqs.length : sources.ids.length;
  const isSource = (item: ShownItem, index: number) =>
    (sources.type === "messages" ? item.seq : item.summary_number) === facts[index]?.position;
  return facts.length === wanted && items.length === wanted && items.every(isSource);
}

/** The error for a summary whose sources are no longer in place. */
export function contextMoved(): PalimpsestError {
  return new PalimpsestError("busy", "the context changed while it was being summarised", {
    advice: "Plan again; nothing was written.",
  });
}
