import { describe, expect, it } from "vitest";
import { sha256 } from "../../text/bytes.ts";
import type { ExclusionReason } from "../../types.ts";
import { digestContent, sealMessage, turnKeysDigest } from "../seal.ts";
import type { AppendWrite, NewMessage } from "../store.ts";
import { sampleAppend, sampleMessage } from "../testing/sample.ts";
import { type KnownMessage, keysDigest, keysWithVersions, placeMessages } from "./place-messages.ts";
import { FORGOTTEN_KEYS, fillErased, replayTurn } from "./replay-turn.ts";

const SALT = "00112233445566778899aabbccddeeff";
const HEAD = { lastSeq: 10, tokens: 100, hash: sha256("head") };

/** A stored message: `a~2` at 7 with the content `two`; without content it was erased. */
function known(
  key: string,
  seq: number,
  words: string | null,
  excluded: ExclusionReason | null = null,
): KnownMessage {
  const { content } = sampleMessage("", words ?? "");
  const digest = digestContent(SALT, content);
  return { seq, key, salt: words === null ? null : SALT, digest, excluded };
}

const byKey = (records: readonly KnownMessage[]) => new Map(records.map((record) => [record.key, record]));
const branch = { onOtherContent: "branch" } as const;

function place(
  messages: readonly NewMessage[],
  records: readonly KnownMessage[],
  more: Partial<AppendWrite> = {},
) {
  return placeMessages("conv_a", HEAD, sampleAppend("s", messages, more), byKey(records));
}

/** Where each message ended up: `a@7`, `a~2@11 new`, `a@7 erased`. */
const places = (...given: Parameters<typeof place>) =>
  place(...given).placed.map(
    ({ key, seq, existed, erased }) => `${key}@${seq}${existed ? "" : " new"}${erased ? " erased" : ""}`,
  );

describe("placing messages", () => {
  it("puts new ones at the end of the chain, each sealed after the one before", () => {
    const [a, b] = [
      sampleMessage("a", "one", { tokenCount: 4 }),
      sampleMessage("b", "two", { tokenCount: 5 }),
    ];
    const { placed, fresh, head } = place([a, b], []);
    expect(placed).toEqual([
      { key: "a", seq: 11, existed: false, erased: false },
      { key: "b", seq: 12, existed: false, erased: false },
    ]);
    const first = sealMessage(HEAD.hash, 11, a);
    const second = sealMessage(first.hash, 12, b);
    expect(fresh).toEqual([
      { ...a, ...first, seq: 11, erasedAt: null },
      { ...b, ...second, seq: 12, erasedAt: null },
    ]);
    expect(head).toEqual({ lastSeq: 12, tokens: 109, hash: second.hash });
  });

  it("dates the files of a new message by the message", () => {
    const file = { id: "file_0123456789abcdef", kind: "file", name: null, mime: null, tool: null } as const;
    const more = { description: "", origin: "ingest", writing: "json", places: [], content: null } as const;
    const message = sampleMessage("a", "one", {
      files: [{ ...file, ...more }],
      createdAt: "2026-01-02T03:04:05.000Z",
    });
    expect(place([message], []).fresh[0]?.files).toEqual([
      { ...file, ...more, createdAt: "2026-01-02T03:04:05.000Z" },
    ]);
  });

  it("takes a message with the same words for the one on record, and changes nothing", () => {
    const { placed, fresh, head } = place([sampleMessage("a", "one")], [known("a", 3, "one")]);
    expect(placed).toEqual([{ key: "a", seq: 3, existed: true, erased: false }]);
    expect([fresh, head]).toEqual([[], HEAD]);
  });

  it("meets a repetition inside one write as if it had been written before", () => {
    expect(places([sampleMessage("a", "one"), sampleMessage("a", "one")], [])).toEqual(["a@11 new", "a@11"]);
    expect(places([sampleMessage("a", "one"), sampleMessage("a", "two")], [], branch)).toEqual([
      "a@11 new",
      "a~2@12 new",
    ]);
  });

  it("refuses two contents under one key of a write, and says that both came with it", () => {
    expect(() => places([sampleMessage("a", "one"), sampleMessage("a", "two")], [])).toThrow(
      expect.objectContaining({
        code: "conflict",
        message: 'two messages of this turn have the key "a" and different content',
        advice: "Give each message its own key. Nothing was written.",
      }),
    );
  });

  it.each([3, HEAD.lastSeq])("refuses other words under a key on record at %i", (seq) => {
    expect(() => place([sampleMessage("a", "other")], [known("a", seq, "one")])).toThrow(
      expect.objectContaining({
        code: "conflict",
        message: 'message "a" is already on record in conv_a with other content',
        advice: expect.stringContaining("use a new key"),
      }),
    );
  });

  it.each<[string, KnownMessage[], string]>([
    ["the next version, on a branch", [known("a", 3, "one")], "a~2@11 new"],
    ["the version with the same words", [known("a", 3, "one"), known("a~2", 5, "two")], "a~2@5"],
    ["the first free version", [known("a", 3, "one"), known("a~2", 5, "x")], "a~3@11 new"],
    ["the erased one, when no version has its words", [known("a", 3, null)], "a@3 erased"],
    ["the first erased one", [known("a", 3, null), known("a~2", 5, null)], "a@3 erased"],
    [
      "the version with the same words, before an erased one",
      [known("a", 3, null), known("a~2", 5, "two")],
      "a~2@5",
    ],
    [
      "an erased version, after one with other words",
      [known("a", 3, "one"), known("a~2", 5, null)],
      "a~2@5 erased",
    ],
  ])("takes %s", (_, records, expected) => {
    expect(places([sampleMessage("a", "two")], records, branch)).toEqual([expected]);
  });

  it("takes an erased one under a key that must not change, whatever the words are", () => {
    expect(places([sampleMessage("a", "two")], [known("a", 3, null)])).toEqual(["a@3 erased"]);
  });

  it("takes only records after a seq, when order counts", () => {
    const records = [known("a", 3, "one"), known("a~2", 5, "one")];
    const one = [sampleMessage("a", "one")];
    expect(places(one, records, { ...branch, afterSeq: 2 })).toEqual(["a@3"]);
    expect(places(one, records, { ...branch, afterSeq: 3 })).toEqual(["a~2@5"]);
    expect(places(one, records, { ...branch, afterSeq: 5 })).toEqual(["a~3@11 new"]);
    expect(places(one, records, branch)).toEqual(["a@3"]);
  });

  it("counts the order from the same seq after an erased message before it", () => {
    const messages = [sampleMessage("a", "one"), sampleMessage("b", "two")];
    const records = [known("a", 3, null), known("b", 4, "two")];
    expect(places(messages, records, { ...branch, afterSeq: 5 })).toEqual(["a@3 erased", "b~2@11 new"]);
  });

  it("does not take words that are on record elsewhere for erased ones", () => {
    const records = [known("a", 3, "one"), known("a~2", 5, null)];
    expect(places([sampleMessage("a", "one")], records, { ...branch, afterSeq: 4 })).toEqual(["a~3@11 new"]);
  });

  it("keeps the order of what it placed from the first version that differs", () => {
    const records = [known("a", 3, "one"), known("b", 2, "two"), known("c", 12, "three")];
    const messages = [sampleMessage("a", "other"), sampleMessage("b", "two")];
    expect(places(messages, records, branch)).toEqual(["a~2@11 new", "b~2@12 new"]);
    expect(
      places([sampleMessage("new"), sampleMessage("d", "four")], [known("d", 10, "four")], {
        ...branch,
        afterSeq: 0,
      }),
    ).toEqual(["new@11 new", "d~2@12 new"]);
    expect(places([sampleMessage("a", "one"), sampleMessage("b", "two")], records, branch)).toEqual([
      "a@3",
      "b@2",
    ]);
    expect(
      places([sampleMessage("a", "one"), sampleMessage("b", "two")], records, { ...branch, afterSeq: 0 }),
    ).toEqual(["a@3", "b~2@11 new"]);
    expect(
      places([sampleMessage("c", "three"), sampleMessage("a", "one")], records, { ...branch, afterSeq: 1 }),
    ).toEqual(["c@12", "a~2@11 new"]);
  });

  it("gives text that nobody said no place in the order", () => {
    const summary = sampleMessage("s", "earlier", { excluded: "host-summary" });
    const write = { onOtherContent: "same", afterSeq: 0 } as const;
    expect(places([summary, sampleMessage("a", "one")], [known("a", 3, "one")], write)).toEqual([
      "s@11 new",
      "a@3",
    ]);
  });
});

describe("a message that a host shows under another key", () => {
  const same = { onOtherContent: "same" } as const;
  const view = (rest: string) => `sha256:view:ab12:${rest}`;
  const shown = (key: string) => [sampleMessage(key, "one")];

  it("is the one on record that says the same, or has its id", () => {
    expect(places(shown(view("1:x")), [known(view("1"), 7, "one")], same)).toEqual([`${view("1")}@7`]);
    const erased = [known(view("1"), 7, null), known(view("2:x"), 8, "one")];
    expect(places(shown(view("1")), erased, same)).toEqual([`${view("1")}@7 erased`]);
    expect(places(shown(view("1:x")), [known(view("1:x"), 7, null), ...erased.slice(1)], same)).toEqual([
      `${view("2:x")}@8`,
    ]);
  });

  it("is the next one when order counts", () => {
    const records = [known(view("1:x"), 3, "one"), known(view("2:y"), 7, "one")];
    const found = (afterSeq: number) => places(shown(view("1")), records, { ...same, afterSeq });
    expect([found(0), found(5)]).toEqual([[`${view("1:x")}@3`], [`${view("2:y")}@7`]]);
  });

  it("is the one with its own key, even if an earlier one has its id, or the content differs", () => {
    const records = [known(view("1:x"), 7, "one"), known(view("2:x"), 9, "one")];
    expect(places(shown(view("2:x")), records, same)).toEqual([`${view("2:x")}@9`]);
    expect(places(shown("msg-1"), [known("msg-1", 7, "other")], same)).toEqual(["msg-1@7"]);
  });

  it("is itself where its own key is on record, and new to whoever does not look for it", () => {
    const both = [known(view("1"), 7, "one"), known(view("1:x"), 8, "other")];
    expect(places(shown(view("1:x")), both, same)).toEqual([`${view("1:x")}@8`]);
    expect(places(shown(view("1:x")), both.slice(0, 1))).toEqual([`${view("1:x")}@11 new`]);
  });
});

describe("an entry that was erased in another conversation", () => {
  it("takes its place in the chain, and nothing of it is kept", () => {
    const parts = [{ type: "tool", toolCallId: "c", toolName: "shell", toolStatus: "completed" }] as const;
    const [gone, kept] = [sampleMessage("a", "secret", { parts, stubTokenCount: 1 }), sampleMessage("b")];
    const write = sampleAppend("s", [gone, kept, gone]);
    const { placed, fresh, head } = placeMessages("conv_a", HEAD, write, new Map(), new Set([gone]));
    expect(placed).toEqual([
      { key: "a", seq: 11, existed: false, erased: true },
      { key: "b", seq: 12, existed: false, erased: false },
      { key: "a", seq: 11, existed: true, erased: true },
    ]);
    const first = sealMessage(HEAD.hash, 11, gone);
    expect(fresh[0]).toEqual({
      ...gone,
      ...first,
      seq: 11,
      content: null,
      salt: null,
      stubTokenCount: null,
      parts: [{ type: "tool", toolCallId: null, toolName: null, toolStatus: null }],
      erasedAt: write.at,
      excluded: "erased",
    });
    expect(head.hash).toBe(sealMessage(first.hash, 12, kept).hash);
  });
});

describe("the branch of known messages", () => {
  const moves = (
    records: readonly KnownMessage[],
    excluded: ExclusionReason | null,
    more: Partial<AppendWrite> = branch,
  ) => {
    const { leave, enter } = place([sampleMessage("a", "one", { excluded })], records, more);
    return { leave: [...leave], enter };
  };

  it("is left and entered as the transcript says", () => {
    expect(moves([known("a", 3, "one")], "branch")).toEqual({ leave: [[3, "branch"]], enter: [] });
    expect(moves([known("a", 3, "one", "branch")], null)).toEqual({ leave: [], enter: [3] });
    expect(moves([known("a", 3, "one")], null)).toEqual({ leave: [], enter: [] });
    expect(moves([known("a", 3, "one", "branch")], "branch")).toEqual({ leave: [], enter: [] });
  });

  it("does not change for other reasons to be out, or other messages, or outside of transcripts", () => {
    for (const reason of ["reset", "heartbeat", "erased"] as const)
      for (const excluded of [null, "branch"] as const)
        expect(moves([known("a", 3, "one", reason)], excluded)).toEqual({ leave: [], enter: [] });
    expect(moves([known("a", 3, "one"), known("b", 4, "two", "branch")], null)).toEqual({
      leave: [],
      enter: [],
    });
    expect(moves([known("a", 3, "one", "branch")], null, { onOtherContent: "refuse" })).toEqual({
      leave: [],
      enter: [],
    });
  });

  it("is entered again by a message that leaves in the same write, and not when it was out before", () => {
    const leaveContext = [{ seq: 3, reason: "branch" as const }];
    expect(moves([known("a", 3, "one")], null, { ...branch, leaveContext })).toEqual({
      leave: [],
      enter: [3],
    });
    expect(moves([known("a", 3, "one", "reset")], null, { ...branch, leaveContext })).toEqual({
      leave: [],
      enter: [],
    });
    expect(moves([known("a", 3, "one")], "branch", { ...branch, leaveContext })).toEqual({
      leave: [],
      enter: [],
    });
  });
});

describe("keys whose versions must be known", () => {
  const needed = (
    messages: readonly NewMessage[],
    records: readonly KnownMessage[],
    afterSeq: number | null = null,
  ) => keysWithVersions(sampleAppend("s", messages, { afterSeq }), byKey(records));
  const [a, b] = [sampleMessage("a", "one"), sampleMessage("b", "two")];
  const records = [known("a", 3, "one"), known("b", 4, "two")];

  it("are none while every message is new, or the one on record", () => {
    expect(needed([a, b], [])).toEqual([]);
    expect(needed([a, b], records)).toEqual([]);
  });

  it("are all on record once a message differs or was erased, or order counts", () => {
    expect(needed([sampleMessage("a", "other"), b], records)).toEqual(["a", "b"]);
    expect(needed([a, b], [known("a", 3, "one"), known("b", 4, null)])).toEqual(["a", "b"]);
    expect(needed([a, b], records, 0)).toEqual(["a", "b"]);
    expect(needed([a, b], [known("b", 4, "two")], 0)).toEqual(["b"]);
  });

  it("are those that come twice, and with them all on record", () => {
    expect(needed([a, a], [])).toEqual(["a"]);
    expect(needed([a, a, b], [])).toEqual(["a"]);
    expect(needed([a, a, b], [known("b", 4, "two")])).toEqual(["a", "b"]);
  });
});

describe("a turn whose keys were forgotten", () => {
  it("is recognised by its messages, and refused with others", () => {
    expect(FORGOTTEN_KEYS).toBe("0".repeat(64));
    const write = sampleAppend("s", [sampleMessage("t#file", "x")], { turnKey: "t" });
    const turn = { key: "t", keysDigest: FORGOTTEN_KEYS, firstSeq: 7, messageCount: 1 };
    const records = byKey([known("t#file", 7, null)]);
    expect(replayTurn("conv_a", write, turn, records)).toEqual([
      { key: "t#file", seq: 7, existed: true, erased: true },
    ]);
    expect(() => replayTurn("conv_a", write, turn, new Map())).toThrow("other content");
  });
});

describe("a turn that comes again", () => {
  const messages = [sampleMessage("a", "one"), sampleMessage("sha256:b", "two")];
  const turn = { key: "t", keysDigest: turnKeysDigest(["a", "sha256:b"]), firstSeq: 3, messageCount: 2 };
  const replay = (
    records: readonly KnownMessage[],
    more: Partial<AppendWrite> = {},
    digest = turn.keysDigest,
  ) =>
    replayTurn(
      "conv_a",
      sampleAppend("s", messages, { turnKey: "t", ...more }),
      { ...turn, keysDigest: digest },
      byKey(records),
    );
  const conflict = expect.objectContaining({
    code: "conflict",
    message: 'turn "t" is already on record in conv_a with other content',
  });

  it("is known by the keys of its messages", () => {
    expect(keysDigest(sampleAppend("s", messages))).toBe(turn.keysDigest);
    const records = [known("a", 3, "one"), known("sha256:b", 4, "two")];
    expect(replay(records)).toHaveLength(2);
    expect(() => replay(records, {}, turnKeysDigest(["sha256:b", "a"]))).toThrow(conflict);
  });

  it("is where its messages are, whichever version they have", () => {
    expect(replay([known("a", 3, "one"), known("sha256:b", 4, null)])).toEqual([
      { key: "a", seq: 3, existed: true, erased: false },
      { key: "sha256:b", seq: 4, existed: true, erased: true },
    ]);
    expect(
      replay([known("a", 3, "x"), known("a~2", 5, "one"), known("sha256:b", 4, "two")], branch)[0],
    ).toEqual({
      key: "a~2",
      seq: 5,
      existed: true,
      erased: false,
    });
  });

  it("has no place for a message whose key was erased with it", () => {
    expect(replay([known("a", 3, "one")])[1]).toBeNull();
  });

  it("is refused when a message is missing or has other words", () => {
    expect(() => replay([known("sha256:b", 4, "two")])).toThrow(conflict);
    expect(() => replay([known("a", 3, "x"), known("a~2", 5, "one"), known("sha256:b", 4, "two")])).toThrow(
      conflict,
    );
    expect(() => replay([known("a", 3, "x"), known("sha256:b", 4, "two")], branch)).toThrow(conflict);
    expect(() => replay([known("a", 3, "one"), known("sha256:b", 4, "x")], branch)).toThrow(conflict);
  });

  it("gets the erased messages of the turn, in order, where none was found", () => {
    const found = { key: "a", seq: 3, existed: true, erased: false };
    const gone = (seq: number) => ({ key: `erased:${seq}`, seq, existed: true, erased: true });
    expect(fillErased([found, null, null], turn, [7, 9])).toEqual([found, gone(7), gone(9)]);
    expect(fillErased([null, found, null], turn, [7])).toEqual([gone(7), found, gone(5)]);
    expect(fillErased([found], turn, [7])).toEqual([found]);
  });
});
