import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { basisOf } from "../../rules/transcript-basis.ts";
import type { Transcript } from "../../store.ts";
import {
  AT,
  conversationIdFor,
  sampleLine,
  sampleMessage,
  sampleTranscript,
  sampleTranscriptWrite,
} from "../sample.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeTranscripts(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("transcripts", () => {
    it("keeps lines with their messages and replaces a torn one when it is complete", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const path = `/host/${session}.jsonl`;
      await append(session, [sampleMessage("m1")], {
        transcript: sampleTranscriptWrite({ path, lineCount: 3 }, [
          sampleLine(0, { entryKey: "e0", response: "r" }),
          sampleLine(1, { kind: "message", content: null, messageKey: "m1", parentKey: "e0" }),
          sampleLine(2, { kind: "torn", content: Uint8Array.of(0x7b, 0xff), problem: "not complete" }),
        ]),
      });
      const [state] = await use.scoped.transcriptsAt(path);
      expect(state).toEqual({
        ...sampleTranscript({ path, lineCount: 3 }),
        conversation: id,
        updatedAt: AT,
      });
      await append(session, [], {
        transcript: sampleTranscriptWrite(
          { path, lineCount: 3, offset: 99 },
          [sampleLine(2)],
          basisOf([sampleTranscript({ lineCount: 3 })], 1),
        ),
      });
      const lines = (await use.scoped.transcriptLines(id, { transcript: 1 })).rows;
      expect(lines.map(({ line, kind, seq }) => ({ line, kind, seq }))).toEqual([
        { line: 0, kind: "event", seq: null },
        { line: 1, kind: "message", seq: 1 },
        { line: 2, kind: "event", seq: null },
      ]);
      expect((await use.scoped.transcriptsAt(path))[0]?.offset).toBe(99);
      const unread = await use.scoped.transcriptLines(id, { transcript: 1, kinds: ["torn", "unreadable"] });
      expect(unread.rows).toEqual([]);
    });

    it("are not written by one who planned from what another has changed meanwhile (promise: atomic)", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const path = `/host/${session}.jsonl`;
      const read = (state: Partial<Transcript>, ...planned: Parameters<typeof basisOf>) =>
        append(session, [sampleMessage(`line ${state.number}-${state.offset}`)], {
          transcript: sampleTranscriptWrite({ path, ...state }, [], basisOf(...planned)),
        });
      const [short, long, second] = [
        sampleTranscript({ path, number: 1, offset: 10 }),
        sampleTranscript({ path, number: 1, offset: 20 }),
        sampleTranscript({ path, number: 2, offset: 30 }),
      ];
      await read(short, [], null);
      const tooLate: [Partial<Transcript>, ...Parameters<typeof basisOf>][] = [
        [{ number: 1, offset: 15 }, [], null],
        [{ number: 1, offset: 25 }, [short], 1],
        [{ number: 2, offset: 35 }, [short], 1],
        [{ number: 1, offset: 45 }, [long], 1],
        [{ number: 2, offset: 55 }, [long], 1],
        [{ number: 1, offset: 65 }, [{ ...long, readHash: null }, second], 1],
      ];
      const expectRefused = async ([state, ...planned]: (typeof tooLate)[number]) =>
        expect(read(state, ...planned)).rejects.toSatisfy(
          (error) => isPalimpsestError(error, "busy") && error.retryable,
        );
      for (const write of tooLate.slice(0, 1)) await expectRefused(write);
      await read(long, [short], 1);
      for (const write of tooLate.slice(0, 3)) await expectRefused(write);
      await read(second, [long], 1);
      for (const write of tooLate) await expectRefused(write);
      expect((await use.scoped.transcripts(id)).map(({ number, offset }) => [number, offset])).toEqual([
        [1, 20],
        [2, 30],
      ]);
      expect((await readAll(session)).map(({ key }) => key)).toEqual(["line 1-10", "line 1-20", "line 2-30"]);
      await read({ number: 1, offset: 70 }, [long, second], 1);
    });
  });
}
