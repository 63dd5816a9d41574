/** The byte ranges of a message's original that contain its payloads, and their encoding there. */
import type { PayloadPlace } from "../../../store/file-store.ts";
import { sha256 } from "../../../text/bytes.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { byteOffsets, type FoundPayloads, type FoundValue, type LocatedPayload } from "./found-payload.ts";
import { locateTexts } from "./locate-texts.ts";

/** In the order of their first positions. */
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

/** A value begins and ends with a bracket. Both stay in the row, so that the row is valid JSON without the value. */
const BRACKET = 1;

/** The positions of results that are data. Equal results of the same call are one payload. The values must ascend. */
function locateValues(content: string, values: readonly FoundValue[]): LocatedPayload[] {
  const offsetOf = byteOffsets(content);
  const located = new Map<string, LocatedPayload & { readonly places: PayloadPlace[] }>();
  for (const { start, end, tool, callId, input } of values) {
    const payload = encodeUtf8(content.slice(start, end));
    const place: PayloadPlace = {
      ...{ start: offsetOf(start), end: offsetOf(end) },
      ...{ before: BRACKET, after: BRACKET, head: BRACKET, tail: BRACKET },
    };
    const key = JSON.stringify([tool, callId, sha256(payload)]);
    const known = located.get(key);
    if (known !== undefined) known.places.push(place);
    else
      located.set(key, {
        ...{ kind: "tool-output", name: null, mime: null, tool, callId, input },
        ...{ writing: "json-value", places: [place], payload },
      });
  }
  return [...located.values()];
}
