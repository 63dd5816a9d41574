import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { conversationIdFor, sampleMessage } from "../sample.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeTurns(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("turns", () => {
    it("takes a turn once", async () => {
      const session = newSession();
      const messages = [sampleMessage("t#0"), sampleMessage("t#1")];
      expect((await append(session, messages, { turnKey: "t" })).status).toBe("committed");
      expect((await append(session, messages, { turnKey: "t" })).status).toBe("duplicate");
      const turns = await use.scoped.turns(conversationIdFor(session), {});
      expect(turns.rows).toMatchObject([{ key: "t", firstSeq: 1, messageCount: 2 }]);
    });

    it("refuses the same turn key with fewer, more or other messages", async () => {
      const session = newSession();
      await append(session, [sampleMessage("t#0"), sampleMessage("t#1")], { turnKey: "t" });
      const others = [
        [sampleMessage("t#0")],
        [sampleMessage("t#0"), sampleMessage("t#1"), sampleMessage("t#2")],
        [sampleMessage("t#0"), sampleMessage("t#1", "other")],
      ];
      for (const messages of others)
        await expect(append(session, messages, { turnKey: "t" })).rejects.toSatisfy((error) =>
          isPalimpsestError(error, "conflict"),
        );
      expect((await readAll(session)).length).toBe(2);
    });
  });
}
