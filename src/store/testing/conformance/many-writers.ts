import { describe, expect, it } from "vitest";
import { DEFAULT_SCOPE } from "../../../types.ts";
import { conversationIdFor, sampleAppend, sampleMessage } from "../sample.ts";
import { verifyChain } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeManyWriters(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("many writers", () => {
    it("loses and doubles nothing when several connections write to one conversation", async () => {
      const session = newSession();
      await append(session, [sampleMessage("first")]);
      const stores = await Promise.all([use.place.open(), use.place.open(), use.place.open()]);
      await Promise.all(
        stores.flatMap((other, writer) =>
          Array.from({ length: 20 }, (_, i) =>
            other.scoped(DEFAULT_SCOPE).commit([sampleAppend(session, [sampleMessage(`w${writer}-${i}`)])]),
          ),
        ),
      );
      await Promise.all(stores.map((other) => other.close()));
      const messages = await readAll(session);
      expect(messages.map((message) => message.seq)).toEqual(Array.from({ length: 61 }, (_, i) => i + 1));
      expect(new Set(messages.map((message) => message.key)).size).toBe(61);
      expect(await verifyChain(use.scoped, conversationIdFor(session))).toBe(61);
    });
  });
}
