/** Where payloads stand in the bytes of a message's original, and how they are written there. */
import type { PayloadPlace, PayloadWriting } from "../../../store/file-store.ts";
import type { FoundPayload, FoundPayloads } from "./found-payload.ts";
import { locateTexts } from "./locate-texts.ts";
import { locateValues } from "./locate-values.ts";

export interface LocatedPayload
  extends Pick<FoundPayload, "kind" | "name" | "mime" | "tool" | "callId" | "input"> {
  readonly writing: PayloadWriting;
  readonly places: readonly PayloadPlace[];
  readonly payload: Uint8Array;
}

/** In the order of their first places. */
export function locatePayloads(
  content: string | Uint8Array,
  { texts, values }: FoundPayloads,
): LocatedPayload[] {
  const inTexts = (taken: FoundPayloads["values"]) => locateTexts(content, texts, taken);
  if (values.length === 0 || typeof content !== "string") return inTexts([]);
  const ascending = values.toSorted((a, b) => a.start - b.start);
  const located = [...inTexts(ascending), ...locateValues(content, ascending)];
  return located.sort((a, b) => firstByte(a) - firstByte(b));
}

function firstByte({ places: [first] }: LocatedPayload): number {
  return first?.start ?? 0;
}
