import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import type { ScopedStore } from "../../store.ts";
import { AT, conversationIdFor, sampleAppend, sampleMessage } from "../sample.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeCompactionLock(use: StoreInUse): void {
  const { append, newSession } = use;

  describe("the lock of compaction", () => {
    const isBusy = (error: unknown) =>
      isPalimpsestError(error, "busy") &&
      error.retryable &&
      error.message === "another process is compacting this conversation";
    const begin = (on: ScopedStore, id: string) => {
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<string>();
      const { promise: began, resolve: hasBegun } = Promise.withResolvers<void>();
      const done = on.exclusively(id, () => {
        hasBegun();
        return mayEnd;
      });
      return { began: Promise.race([began, done]), end, done };
    };

    it("keeps out everybody else, in this process and in others, until the work is done", async () => {
      const [session, other] = [newSession(), newSession()];
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a")]);
      await append(other, [sampleMessage("a")]);
      const second = await use.place.open();
      try {
        const elsewhere = second.scoped(DEFAULT_SCOPE);
        const first = begin(use.scoped, id);
        await first.began;
        const refused = () => Promise.reject(new Error("ran although somebody else has the lock"));
        await expect(elsewhere.exclusively(id, refused)).rejects.toSatisfy(isBusy);
        await expect(use.scoped.exclusively(id, refused)).rejects.toSatisfy(isBusy);
        expect(await elsewhere.exclusively(conversationIdFor(other), async () => "other")).toBe("other");
        await elsewhere.commit([sampleAppend(session, [sampleMessage("b")])]);
        first.end("done");
        expect(await first.done).toBe("done");
        expect(await elsewhere.exclusively(id, async () => "next")).toBe("next");
      } finally {
        await second.close();
      }
    });

    it("is given back when the work fails", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a")]);
      const failing = use.scoped.exclusively(id, () => Promise.reject(new Error("the model failed")));
      await expect(failing).rejects.toThrow("the model failed");
      expect(await use.scoped.exclusively(id, async () => "again")).toBe("again");
    });

    it("is only for conversations of the scope", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a")]);
      const stranger = use.store.scoped({ tenant: "other", agent: "default" });
      await expect(stranger.exclusively(id, async () => "mine")).rejects.toSatisfy((error) =>
        isPalimpsestError(error, "not-found"),
      );
    });

    it("goes with a conversation that is deleted meanwhile", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a")]);
      const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
      const work = use.scoped.exclusively(id, () =>
        use.scoped.commit([{ kind: "delete-conversation", id, audit }]),
      );
      await expect(work).resolves.toMatchObject([{ messages: 1 }]);
    });
  });
}
