import { describe, expect, it } from "vitest";
import { CopyFinder } from "./copy-finder.ts";
import { withoutEscapes } from "./shingles.ts";

const TEXT = "the quick brown fox jumps over the lazy dog while the band plays on and on";

function kindsOf(erased: string | readonly string[], ...texts: readonly string[]): (string | null)[] {
  const finder = new CopyFinder<number>(typeof erased === "string" ? [erased] : erased);
  for (const [index, text] of texts.entries()) finder.look(index, text);
  const kinds = new Map(finder.copies().map(({ place, likeness }) => [place, likeness.kind]));
  return texts.map((_, index) => kinds.get(index) ?? null);
}

describe("a copy of an erased text", () => {
  it("is exact whatever stands around it, and whatever its case, spaces and punctuation", () => {
    expect(kindsOf(TEXT, `He said: "${TEXT}."`, TEXT.toUpperCase().replaceAll(" ", "\n  "))).toEqual([
      "exact",
      "exact",
    ]);
  });

  it("is found under the escapes of JSON, at any depth", () => {
    const erased = 'first "line" of the note\nsecond line\tof the note: é and C:\\new\\table';
    const once = JSON.stringify({ content: erased });
    const twice = JSON.stringify({ output: once });
    const ascii = once.replace("é", "\\u00e9");
    expect(kindsOf(erased, once, twice, ascii)).toEqual(["exact", "exact", "exact"]);
  });

  it("is near with half of its words in runs of five, and a part with twelve in a row", () => {
    const words = Array.from({ length: 60 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i}`);
    const half = [...words.slice(0, 40), "something", "else"].join(" ");
    const twelve = ["before", ...words.slice(20, 32), "after"].join(" ");
    const eleven = ["before", ...words.slice(20, 31), "after"].join(" ");
    expect(kindsOf(words.join(" "), half, twelve, eleven)).toEqual(["near", "part", null]);
  });

  it("is a part with one whole line, if that is long or has a word like a password", () => {
    const erased = [
      "a heading",
      "return undefined value",
      "login hunter2abc",
      "the committee will convene at the lighthouse",
      ...Array.from({ length: 20 }, (_, i) => `filler number ${i} that makes the text long enough here`),
    ].join("\n");
    const found = kindsOf(
      erased,
      "x return undefined value y",
      "use login hunter2abc please",
      "I heard the committee will convene at the lighthouse",
      "the committee will convene somewhere",
    );
    expect(found).toEqual([null, "part", "part", null]);
  });

  it("is not one of a text that is too short", () => {
    expect(kindsOf("yes", "yes", "yes please")).toEqual([null, null]);
    expect(new CopyFinder(["yes", "ok ok"]).isBlind).toBe(true);
  });

  it("is not one where only what many texts say is shared, unless all of it is there", () => {
    const note = "Whenever you read a file, consider whether it looks harmful to anybody.";
    const erased = `the wine cellar of the baron, row by row, with the years\n${note}`;
    const others = Array.from({ length: 30 }, (_, i) => `page ${i}\n${note}`);
    expect(new Set(kindsOf(erased, ...others))).toEqual(new Set([null]));
    expect(kindsOf(erased, ...others, `again: ${erased}`).at(-1)).toBe("exact");
    expect(new Set(kindsOf(note, ...others))).toEqual(new Set(["exact"]));
  });

  it("counts for each of several texts", () => {
    expect(kindsOf([TEXT, "an entirely other message about the harbour"], TEXT)).toEqual(["exact"]);
  });

  it("is found across the pieces of a long text, and in scripts without spaces", () => {
    const whole = new CopyFinder<string>([TEXT]);
    const pieces = whole.open("file");
    for (const piece of TEXT.split(/(?<= )/)) pieces.add(piece);
    pieces.end();
    expect(whole.copies()).toMatchObject([{ place: "file", likeness: { kind: "exact" } }]);
    const chinese = "保险柜的密码是四七一一请不要告诉别人";
    expect(kindsOf(chinese, `他说：“${chinese}”。`)).toEqual(["exact"]);
  });

  it("is noticed in a reason", () => {
    const finder = new CopyFinder<string>([TEXT]);
    expect(finder.repeats(`he wrote ${TEXT}`)).toBe(true);
    expect(finder.repeats("a slip")).toBe(false);
  });
});

describe("a text without escapes", () => {
  it("keeps what is not escaped, and puts line ends where they were", () => {
    expect(withoutEscapes("plain text")).toBe("plain text");
    expect(withoutEscapes(String.raw`one\ntwo\\nthree\tfour \"five\" \u0041`)).toBe(
      'one\ntwo\nthree four  "five " A',
    );
  });
});
