import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GrepInput, GrepResult } from "../../src/context/retrieve/grep.ts";
import { type Engine, open } from "../../src/index.ts";
import { wordsOf } from "../../src/text/words.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { type LinearDocument, readDocuments, searchLinearly } from "./linear-search.ts";

const RUNS = 60;

/** Few words, so that most questions have answers; some of them hard on tokenizers. */
const WORDS = [
  "run running runs the a I of socket sockets socketed path/to/file.ts user_id ECONNREFUSED econnrefused v1.4.2",
  "5432 naïve naive nai\u0308ve café CAFÉ straße STRASSE İstanbul ſecret Kelvin k 数据库 数据 库 迁移 がぎ か\u3099 데이터 데이터베이스",
  '👍 👩‍👩‍👧 e\u0301 \u0301 ok?! (x|y) .* \\d+ %_ \'; DROP TABLE messages;-- "quoted" <b>&amp; \u200d \ud800 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
]
  .join(" ")
  .split(" ");

const word = fc.constantFrom(...WORDS);
const glue = fc.constantFrom(" ", " ", "\n", "", "-", "_");
const sentence = fc
  .array(fc.tuple(word, glue), { maxLength: 12 })
  .map((pieces) => pieces.map(([text, behind]) => text + behind).join(""));

const message = fc.oneof(
  sentence.map((content) => ({ role: "user", content })),
  sentence.map((content) => ({ role: "assistant", content })),
  fc.tuple(sentence, fc.constantFrom("shell", "read", "数据")).map(([text, name]) => ({
    role: "assistant",
    content: [{ type: "tool_use", id: "t", name, input: { text, path: "a/b.ts" } }],
  })),
);

/** What looks like a pattern is refused where words are asked for. */
const plainWord = word.filter((text) => !/[|*\\]|^$/.test(text));

const question = fc
  .tuple(
    fc.oneof(
      fc.array(plainWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
      plainWord.map((text) => `${[...text].slice(0, 2).join("")}*`),
      fc
        .tuple(plainWord, plainWord)
        .map(([a, b]) => `"${a.replaceAll('"', "")} ${b.replaceAll('"', "")}" ok`),
    ),
    fc.record(
      {
        sort: fc.constantFrom<GrepInput["sort"] & string>("time", "relevance"),
        roles: fc.constantFrom<NonNullable<GrepInput["roles"]>>(["user"], ["assistant", "tool"]),
        tool: fc.constantFrom("shell", "数据", "nothing"),
        kinds: fc.constantFrom<NonNullable<GrepInput["kinds"]>>(["message"], ["summary"]),
        since: fc.constant("2026-03-01T10:00:30Z"),
        before: fc.constant("2026-03-01T10:01:30Z"),
        inOne: fc.constant(true),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([pattern, rest]) => ({ pattern, ...rest }));

const pattern = fc
  .tuple(
    fc.oneof(
      word.map((text) => ({ mode: "exact" as const, pattern: text })),
      sentence
        .filter((text) => text !== "")
        .map((text) => ({ mode: "exact" as const, pattern: text.slice(0, 6) })),
      fc
        .constantFrom(
          "run(ning)?s?",
          "s.cket",
          "^the",
          "file\\.ts$",
          "\\d{2,}",
          "数据.?",
          "(path|user)_?\\w+",
          "[ßs]+",
          "k",
          ".",
          "x*",
          "(?i)CAFÉ|straße",
          "econn\\w+",
        )
        .map((source) => ({ mode: "regex" as const, pattern: source })),
    ),
    fc.record({ ignoreCase: fc.boolean(), inOne: fc.constant(true) }, { requiredKeys: [] }),
  )
  .map(([asked, rest]) => ({ ...asked, ...rest }));

describe.each(ENGINES)("searching on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let documents: LinearDocument[];
  let one: string;

  /** Written and indexed in pieces, compacted in between, something erased: an index with a past. */
  beforeAll(async () => {
    place = await temporaryPlace(name);
    let now = Date.parse("2026-03-01T10:00:00.000Z");
    const clock = () => (now += 100);
    engine = await open({
      store: place.store,
      background: "off",
      clock,
      config: { leafChunkTokens: 300, freshTailCount: 4 },
    });
    const sayings = fc.sample(fc.array(message, { minLength: 1, maxLength: 30 }), { numRuns: 50, seed: 11 });
    for (const [turn, messages] of sayings.entries()) {
      const conversation = `s${turn % 3}`;
      await engine.context.commitTurn({ conversation, key: `t${turn}`, messages });
      if (turn % 4 === 1) await engine.context.index();
      if (turn % 9 === 5) await engine.context.compact({ conversation, budget: 2_000, untilUnder: 800 });
      if (turn % 11 === 7)
        await engine.context.erase({ conversation, from: (turn % 5) + 1, to: (turn % 5) + 1 });
    }
    documents = await readDocuments(engine);
    one = (await engine.context.conversation("s1")).id;
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  /** All pages of an answer. */
  async function allHits(input: GrepInput, limit: number): Promise<GrepResult["hits"][number][]> {
    const hits: GrepResult["hits"][number][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await engine.context.grep({
        ...input,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      hits.push(...page.hits);
      if (page.total !== null) expect(page.total).toBeGreaterThanOrEqual(hits.length);
      if (page.next === null) return hits;
      expect(page.hits).toHaveLength(limit);
      cursor = page.next;
    }
  }

  async function expectEqual(
    { inOne, ...query }: GrepInput & { readonly inOne?: boolean },
    limit: number,
  ): Promise<void> {
    if (query.mode === undefined && wordsOf(query.pattern).length === 0) {
      await expect(engine.context.grep(query)).rejects.toMatchObject({ code: "invalid-input" });
      return;
    }
    const scope = inOne === true ? { conversation: one } : {};
    const hits = await allHits({ ...query, ...(inOne === true ? { conversations: [one] } : {}) }, limit);
    const expected = searchLinearly(documents, { ...query, ...scope });
    expect(hits.map(({ id }) => id)).toEqual(expected);
    for (const { snippet } of hits)
      for (const mark of snippet.marks) expect(mark.end).toBeLessThanOrEqual(snippet.text.length);
  }

  it("finds by words what reading everything finds, in the same order (promise: complete)", async () => {
    await fc.assert(fc.asyncProperty(question, fc.integer({ min: 1, max: 200 }), expectEqual), {
      numRuns: RUNS,
    });
  });

  it("finds by pattern what reading everything finds, in the same order", async () => {
    await fc.assert(fc.asyncProperty(pattern, fc.integer({ min: 5, max: 200 }), expectEqual), {
      numRuns: RUNS,
    });
  });
});
