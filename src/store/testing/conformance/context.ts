import { describe, expect, it } from "vitest";
import { conversationIdFor, sampleMessage } from "../sample.ts";
import { contextOf } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeContext(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("context", () => {
    it("lists every message in order, leaves out what is excluded, and takes it back (promise: pointing)", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [
        sampleMessage("a"),
        sampleMessage("b", "b", { excluded: "heartbeat" }),
        sampleMessage("c"),
      ]);
      expect(await contextOf(use.scoped, id)).toEqual([1, 3]);
      await append(session, [], { leaveContext: [{ seq: 1, reason: "branch" }], enterContext: [2] });
      expect(await contextOf(use.scoped, id)).toEqual([2, 3]);
      expect((await readAll(session)).map((message) => message.excluded)).toEqual(["branch", null, null]);
      await append(session, [], { enterContext: [1] });
      expect(await contextOf(use.scoped, id)).toEqual([1, 2, 3]);
    });

    it("follows the branch that a replayed transcript says a message is on", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const message = sampleMessage("a");
      await append(session, [message]);
      await append(session, [{ ...message, excluded: "branch" }], { onOtherContent: "branch" });
      expect(await contextOf(use.scoped, id)).toEqual([]);
      await append(session, [message], { onOtherContent: "branch" });
      expect(await contextOf(use.scoped, id)).toEqual([1]);
    });

    it("moves messages between the context and a branch only: other reasons to be out stay", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const heartbeat = sampleMessage("a", "a", { excluded: "heartbeat" });
      const branch = { onOtherContent: "branch" } as const;
      await append(session, [heartbeat, sampleMessage("b")]);
      for (const excluded of [null, "branch"] as const) {
        await append(session, [{ ...heartbeat, excluded }], branch);
        expect(await contextOf(use.scoped, id)).toEqual([2]);
        expect((await readAll(session)).map((message) => message.excluded)).toEqual(["heartbeat", null]);
      }
    });
  });
}
