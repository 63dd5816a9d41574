import { describe, expect, it } from "vitest";
import { DEFAULT_SCOPE } from "../../../types.ts";
import { sampleAppend, sampleMessage } from "../sample.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeClosing(use: StoreInUse): void {
  const { newSession } = use;

  describe("closing", () => {
    it("refuses every later call, and says that trying again is no use", async () => {
      const closed = await use.place.open();
      await closed.close();
      const calls = [
        () => closed.info(),
        () => closed.scopes(),
        () => closed.scoped(DEFAULT_SCOPE).conversations({}),
        () => closed.scoped(DEFAULT_SCOPE).commit([sampleAppend(newSession(), [sampleMessage("a")])]),
        async () => {
          for await (const _ of closed.dump()) break;
        },
      ];
      for (const call of calls)
        await expect(call()).rejects.toMatchObject({ code: "store-unavailable", retryable: false });
    });
  });
}
