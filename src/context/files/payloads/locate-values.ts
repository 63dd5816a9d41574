/** Where results that are data stand in the bytes of a message's original. Equal ones of the same call are one payload. */
import type { PayloadPlace } from "../../../store/file-store.ts";
import { sha256 } from "../../../text/hash.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { byteOffsets } from "./byte-offsets.ts";
import type { FoundValue } from "./found-payload.ts";
import type { LocatedPayload } from "./locate-payloads.ts";

/** A value begins and ends with a bracket. Both stay in the row, which so is JSON without the value as well. */
const BRACKET = 1;

/** The values must ascend. */
export function locateValues(content: string, values: readonly FoundValue[]): LocatedPayload[] {
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
