/** How a payload's places lie in a row of either engine, and what is given in the place of a payload. */
import { drillDownHint, referenceOf } from "../text/file-reference.ts";
import { type PayloadPlace, type Payloads, SEARCHED_BYTES, type StoredFile } from "./file-store.ts";

export function writePlaces(places: readonly PayloadPlace[]): string {
  return JSON.stringify(places.map(({ start, end, before, after }) => [start, end, before, after]));
}

export function readPlaces(json: string): PayloadPlace[] {
  const tuples = JSON.parse(json) as readonly (readonly [number, number, number, number])[];
  return tuples.map(([start, end, before, after]) => ({ start, end, before, after }));
}

/** What stands for a payload. How it is read is nothing that anybody searches for. */
export function referenceFor(file: StoredFile, payloads: Payloads): string {
  const reference = referenceOf(file);
  return payloads === "search" ? reference.replace(`\n${drillDownHint(file.id)}`, "") : reference;
}

/** Whether a payload itself is wanted, or the reference to it. */
export function isWhole({ kind, bytes }: Pick<StoredFile, "kind" | "bytes">, payloads: Payloads): boolean {
  switch (payloads) {
    case "whole":
    case "sound":
      return true;
    case "context":
      return kind === "tool-output";
    case "stubs":
      return false;
    case "search":
      return bytes <= SEARCHED_BYTES;
    case "summarise":
      return kind === "tool-output" && bytes <= SEARCHED_BYTES;
  }
}
