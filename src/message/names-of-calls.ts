import type { Part } from "../types.ts";

/** Tool names by call id: results often have the id alone. */
export function toolNames(
  messages: readonly { readonly parts: readonly Part[] }[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { parts } of messages)
    for (const part of parts)
      if (part.type === "tool" && part.callId !== null && part.name !== null)
        names.set(part.callId, part.name);
  return names;
}
