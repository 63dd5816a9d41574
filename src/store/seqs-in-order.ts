import type { AppendWrite, PlacedMessage } from "./store.ts";

/**
 * Where the message of a transcript line ended up; it may be stored under a version of its key. When a key comes
 * several times, its lines and its messages stand in the same order.
 */
export function seqsInOrder(
  { messages }: Pick<AppendWrite, "messages">,
  placed: readonly PlacedMessage[],
): (key: string) => number | null {
  const seqs = new Map<string, number[]>();
  for (const [index, { key }] of messages.entries()) {
    const seq = placed[index]?.seq;
    if (seq !== undefined) seqs.set(key, [...(seqs.get(key) ?? []), seq]);
  }
  return (key) => {
    const left = seqs.get(key) ?? [];
    return (left.length > 1 ? left.shift() : left[0]) ?? null;
  };
}
