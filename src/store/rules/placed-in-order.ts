import type { AppendWrite, PlacedMessage } from "../store.ts";

/**
 * Where the message of a transcript line was placed; it may be stored under a version of its key. If a key occurs several
 * times, its lines and its messages are in the same order.
 */
export function placedInOrder(
  { messages }: Pick<AppendWrite, "messages">,
  placed: readonly PlacedMessage[],
): (key: string) => PlacedMessage | null {
  const byKey = new Map<string, PlacedMessage[]>();
  for (const [index, { key }] of messages.entries()) {
    const message = placed[index];
    if (message === undefined) continue;
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [message]);
    else same.push(message);
  }
  return (key) => {
    const left = byKey.get(key) ?? [];
    return (left.length > 1 ? left.shift() : left[0]) ?? null;
  };
}
