/** What is said and what is asked for in the tests of searching. */
import fc from "fast-check";
import type { GrepInput } from "../../src/context/retrieve/grep-messages.ts";

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

/** Something that is said or called. */
export const message = fc.oneof(
  sentence.map((content) => ({ role: "user", content })),
  sentence.map((content) => ({ role: "assistant", content })),
  fc.tuple(sentence, fc.constantFrom("shell", "read", "数据")).map(([text, name]) => ({
    role: "assistant",
    content: [{ type: "tool_use", id: "t", name, input: { text, path: "a/b.ts" } }],
  })),
);

/** What looks like a pattern is refused where words are asked for. */
const plainWord = word.filter((text) => !/[|*\\]|^$/.test(text));

/** Something that is asked for by words. */
export const question = fc
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
  .map(([pattern, rest]) => ({ pattern, ...rest }))
  // Only messages have a role or a tool: asking for such summaries is refused.
  .filter(({ kinds, roles, tool }) => kinds?.[0] !== "summary" || (roles ?? tool) === undefined);

/** Something that is asked for by a pattern, or as it is written. */
export const pattern = fc
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
