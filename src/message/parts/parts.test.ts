import { describe, expect, it } from "vitest";
import { PART_TYPES, type Part } from "../../types.ts";
import { definitionOf } from "./index.ts";
import type { LabelledText } from "./part-definition.ts";

/** The expected results of each type; empty results are omitted. */
interface Sample {
  readonly part: Part;
  readonly searchable?: readonly (string | null)[];
  readonly seenByModel?: readonly (string | null)[];
  readonly texts?: readonly LabelledText[];
  /** The remainder when two characters are allowed. */
  readonly cut?: object;
  readonly inSource?: string;
  readonly quotable?: string;
  readonly inWords?: string;
}

const SAMPLES: readonly Sample[] = [
  {
    part: { type: "text", text: "Hello" },
    searchable: ["Hello"],
    seenByModel: ["Hello"],
    texts: [{ label: null, text: "Hello" }],
    cut: { text: "He" },
    inSource: "text:Hello",
    quotable: "Hello",
    inWords: "Hello",
  },
  {
    part: { type: "text", text: "Hello", synthetic: true },
    searchable: ["Hello"],
    seenByModel: ["Hello"],
    texts: [{ label: ["added by the host"], text: "Hello" }],
    cut: { text: "He" },
    inSource: "(added by the host) text:Hello",
    quotable: "Hello",
    inWords: "Hello",
  },
  {
    part: { type: "reasoning", text: "Hmm" },
    searchable: ["Hmm"],
    seenByModel: ["Hmm"],
    texts: [{ label: ["reasoning"], text: "Hmm" }],
    cut: { text: "Hm" },
    inSource: "reasoning:Hmm",
    quotable: "Hmm",
  },
  {
    part: { type: "tool", callId: "c", name: "ls", status: "error", input: '{"p":"a\\nb"}', output: "no" },
    searchable: ["ls", '{"p":"a\nb"}', "no"],
    seenByModel: ["ls", '{"p":"a\\nb"}', "no"],
    texts: [
      { label: ["calls ls"], text: '{"p":"a\\nb"}' },
      { label: ["error of ls"], text: "no" },
    ],
    cut: { input: '{"', output: null },
  },
  {
    part: { type: "tool", callId: "c", name: null, status: "completed", input: null, output: "yes" },
    searchable: [null, null, "yes"],
    seenByModel: [null, null, "yes"],
    texts: [{ label: ["answer of a tool"], text: "yes" }],
    cut: { output: "ye" },
  },
  {
    part: { type: "patch", hash: "9f", files: ["a", "b"] },
    searchable: ["9f", "a", "b"],
    texts: [{ label: ["patch", "9f"], text: "a\nb" }],
    cut: { files: ["a", ""] },
    inSource: "patch of a, b",
    inWords: "[Changed files: a, b]",
  },
  {
    part: { type: "patch", hash: null, files: [] },
    searchable: [null],
    texts: [{ label: ["patch", null], text: "" }],
    cut: { files: [""] },
  },
  {
    part: { type: "file", mime: "image/png", name: "f.png", url: "https://example.com/f" },
    searchable: ["f.png", "https://example.com/f"],
    texts: [{ label: ["file", "image/png", "f.png"], text: "https://example.com/f" }],
    cut: { url: "ht" },
    inSource: "file f.png (image/png)",
    quotable: "Attached file f.png.",
  },
  {
    part: { type: "file", mime: "image/png", name: null, url: "data:image/png;base64,AAAA" },
    searchable: [null, null],
    texts: [{ label: ["file", "image/png", null], text: null }],
    cut: { url: "da" },
    inSource: "file without a name (image/png)",
  },
  {
    part: { type: "subtask", prompt: "Find it.", description: "Search", agent: "scout" },
    searchable: ["scout", "Search", "Find it."],
    seenByModel: ["Find it."],
    texts: [{ label: ["subtask", "scout", "Search"], text: "Find it." }],
    cut: { prompt: "Fi" },
    inSource: "task for scout: text:Search",
    quotable: "Search",
    inWords: "[Task for scout]\nFind it.",
  },
  {
    part: { type: "subtask", prompt: "Find it.", description: null, agent: null },
    searchable: [null, null, "Find it."],
    seenByModel: ["Find it."],
    texts: [{ label: ["subtask", null, null], text: "Find it." }],
    cut: { prompt: "Fi" },
    inSource: "task for an agent: text:Find it.",
    quotable: "Find it.",
    inWords: "[Task for an agent]\nFind it.",
  },
  {
    part: { type: "compaction", auto: false, text: "So far." },
    searchable: ["So far."],
    seenByModel: ["So far."],
    texts: [{ label: ["summary by the host"], text: "So far." }],
    cut: { text: "So" },
    inSource: "text:So far.",
    quotable: "So far.",
    inWords: "So far.",
  },
  { part: { type: "step_start" } },
  {
    part: { type: "step_finish", reason: "stop" },
    texts: [{ label: ["step finished", "stop"], text: null }],
  },
  { part: { type: "step_finish", reason: null } },
  {
    part: { type: "snapshot", hash: "77" },
    searchable: ["77"],
    texts: [{ label: ["snapshot", "77"], text: null }],
  },
  {
    part: { type: "agent", name: "guide" },
    searchable: ["guide"],
    texts: [{ label: ["agent", "guide"], text: null }],
    inSource: "agent guide",
  },
  {
    part: { type: "agent", name: null },
    searchable: [null],
    texts: [{ label: ["agent", null], text: null }],
  },
  {
    part: { type: "retry", attempt: 2, error: "overloaded" },
    searchable: ["overloaded"],
    texts: [{ label: ["retry", "2"], text: "overloaded" }],
    cut: { error: "ov" },
    inSource: "retry after: output:overloaded",
    quotable: "overloaded",
    inWords: "[Tried again after: overloaded]",
  },
  {
    part: { type: "retry", attempt: null, error: null },
    searchable: [null],
    texts: [{ label: ["retry", null], text: "" }],
    inSource: "retry after: output:an error",
  },
  {
    part: { type: "failure", error: "overloaded" },
    searchable: ["overloaded"],
    texts: [{ label: ["failed"], text: "overloaded" }],
    cut: { error: "ov" },
    inSource: "the answer failed: output:overloaded",
    quotable: "overloaded",
  },
  {
    part: { type: "other", blockType: "odd", text: "rest" },
    searchable: ["rest"],
    seenByModel: ["rest"],
    texts: [{ label: ["block", "odd"], text: "rest" }],
    cut: { text: "re" },
    inSource: "text:rest",
    inWords: "rest",
  },
];

const SECRET = "sk-ant-api03-Zq7Rk2Vn9XbT4mWc8LpHs5Jd";

/** Appends the secret to every text except marks, which no summary shows. */
function withSecret(value: unknown): unknown {
  if (typeof value === "string") return `${value} ${SECRET}`;
  if (Array.isArray(value)) return value.map(withSecret);
  if (typeof value !== "object" || value === null) return value;
  const isMark = (name: string) => name === "type" || name === "callId" || name === "status";
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, isMark(name) ? inside : withSecret(inside)]),
  );
}

describe("the definition of a part", () => {
  it.each(SAMPLES)("says of $part what it contains", ({ part, cut = {}, ...sample }) => {
    const definition = definitionOf(part);
    expect({
      searchable: definition.searchable(part),
      seenByModel: definition.seenByModel(part),
      texts: definition.texts(part),
      cut: definition.cut(part, 2),
      inSource: definition.inSource(part, (text, kind) => `${kind}:${text}`),
      quotable: definition.quotable(part),
      inWords: definition.inWords(part),
    }).toStrictEqual({
      ...{ searchable: [], seenByModel: [], texts: [], inSource: "", quotable: "", inWords: "" },
      ...sample,
      cut: { ...part, ...cut },
    });
  });

  it("has a sample of every type", () => {
    expect(new Set(SAMPLES.map(({ part }) => part.type))).toEqual(new Set(PART_TYPES));
  });

  it.each(SAMPLES)("lets no credential of $part into a summary", ({ part }) => {
    const definition = definitionOf(part);
    const hidden = definition.withoutCredentials(withSecret(part) as Part);
    expect(definition.inSource(hidden, (text) => text)).not.toContain(SECRET);
    expect(definition.quotable(hidden)).not.toContain(SECRET);
    if (hidden.type === "tool") expect(JSON.stringify(hidden)).not.toContain(SECRET);
  });

  it.each(SAMPLES.filter(({ part }) => part.type !== "other"))(
    "reads $part as it was written",
    ({ part }) => {
      expect(definitionOf(part).read({ ...part })).toStrictEqual([part]);
    },
  );
});
