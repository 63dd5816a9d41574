import { describe, expect, it } from "vitest";
import { anchor } from "./anchors/anchor.ts";
import { type Anchor, type AnchorKind, literalAnchors } from "./anchors.ts";
import { type Fidelity, FidelityCheck, isFaithful, keepsNothing } from "./check-fidelity.ts";
import { knownFacts } from "./known-facts.ts";
import { mentionedIn } from "./mentioned-in.ts";
import { sourceBlocks } from "./source-blocks.ts";

/** Whether the source knows the first anchor of this kind in a text. */
function knows(source: string, kind: AnchorKind, text: string): boolean {
  const found = literalAnchors(text).find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} in ${text}`);
  return knownFacts(source, sourceBlocks(source, "whole")).has(found);
}

describe("what a source knows", () => {
  it.each<[AnchorKind, string, string, boolean]>([
    // Not as part of a longer number.
    ["number", "port 47115", "47115", true],
    ["number", "port 471150", "47115", false],
    ["number", "port 147115", "47115", false],
    ["number", "id x47115y", "47115", true],
    ["number", "147115 and 47115", "47115", true],
    // Rounded, within half of the last place that is not zero.
    ["number", "12,345 rows", "12,000 rows", true],
    ["number", "12,345 rows", "12,300 rows", true],
    ["number", "12,345 rows", "12,400 rows", false],
    ["number", "12,450 rows", "12,400 rows", true],
    ["number", "12,451 rows", "12,400 rows", false],
    ["number", "12,349 rows", "12,400 rows", false],
    ["number", "12,350 rows", "12,400 rows", true],
    ["number", "3.41 s", "3.4 s", true],
    ["number", "3.5 s", "3.4 s", true],
    ["number", "3.51 s", "3.4 s", false],
    ["number", "3.29 s", "3.4 s", false],
    // Scaled.
    ["number", "10,240 bytes", "10k", true],
    ["number", "10,600 bytes", "10k", false],
    ["number", "9,500 bytes", "10k", true],
    ["number", "2,483,112 rows", "2.5M", true],
    ["number", "3,100,000 rows", "2.5M", false],
    ["number", "it took 10k", "10k", true],
    // Counted by the summariser.
    ["number", "nothing", "7 files", true],
    ["number", "nothing", "99 lines", true],
    ["number", "nothing", "100 lines", false],
    ["number", "nothing", "7.5 lines", false],
    ["number", "nothing", "7 ms", false],
    ["number", "nothing", "3 days", true],
    ["number", "nothing", "1 day", true],
    ["number", "nothing", "12 Zeilen", true],
    // Parts of versions and addresses do not count.
    ["number", "at 10.0.250.17", "250", true],
    ["number", "at 10.0.255.17", "250", true],
    ["number", "at 10.0.256.17", "250", false],
    ["number", `at 250${"0".repeat(40)}`, "251", false],
    // Times.
    ["time", "at 08:14", "08:14", true],
    ["time", "at 08:14", "08:00", true],
    ["time", "at 08:14", "08:30", true],
    ["time", "at 08:14", "08:15", false],
    ["time", "at 08:30", "08:00", true],
    ["time", "at 08:31", "08:00", false],
    ["time", "at 07:30", "08:00", true],
    ["time", "at 07:29", "08:00", false],
    ["time", "at 17:29", "18:00", false],
    ["time", "at 17:31", "18:00", true],
    // Dates.
    ["date", "on 2026-04-21", "21 April 2026", true],
    ["date", "on 2026-04-21", "April 21", true],
    ["date", "on April 21", "2026-04-21", true],
    ["date", "on 2026-04-21", "22 April 2026", false],
    ["date", "on 2026-04-21", "2027-04-21", false],
    ["date", "head VX-04-21", "April 21", false],
    ["date", "on 2026-04-21 and April 21", "2027-04-21", true],
    // Paths.
    ["path", "see /srv/lantern/src/settings.toml", "settings.toml", true],
    ["path", "see /srv/lantern/src/settings.toml", "/srv/lantern/src", true],
    ["path", "see /srv/lantern/src/settings.toml", "/srv/lantern/settings.toml", true],
    ["path", "see /srv/lantern/src/settings.toml", "/srv/other/settings.toml", false],
    ["path", "see /srv/lantern/src/settings.toml", "/srv/alter/settings.toml", false],
    ["path", "see /srv/lantern/src/settings.toml", "/srv/lantern/other.toml", false],
    ["path", "in /srv/lantern there is a.toml", "/srv/lantern/a.toml", true],
    ["path", "https://example.org/a/b.txt", "b.txt", true],
    ["path", "nothing", "a.ts", false],
    // Identifiers, ignoring case, dashes and quotes.
    ["identifier", "VX-40417-KITTIWAKE", "vx40417kittiwake", true],
    ["identifier", "temp coefficient", "temp_coefficient", true],
    ["identifier", "`temp`‑*coefficient*", "temp_coefficient", true],
    ["identifier", "VX-40417", "VX-40418", false],
    ["url", "https://example.org/a", "https://example.org/a", true],
    ["url", "https://example.org/a", "https://example.org/b", false],
  ])("of the kind %s in %j: %j is %s", (kind, source, text, isKnown) => {
    expect(knows(source, kind, text)).toBe(isKnown);
  });

  it("is searched for 200 times at most", () => {
    const facts = knownFacts("VX-1", []);
    const has = (text: string) => facts.has(anchor("identifier", text, text, 1));
    for (let search = 0; search < 199; search++) expect(has(`other-${search}`)).toBe(false);
    expect(has("vx1")).toBe(true);
    expect(has("v-x1")).toBe(false);
  });

  it("has whatever occurs in it as it is written, without a search", () => {
    const names = Array.from({ length: 300 }, (_, index) => `name-${index}x`);
    const facts = knownFacts(names.join(" "), []);
    expect(names.filter((name) => !facts.has(anchor("identifier", name, name, 1)))).toEqual([]);
    expect(facts.has(anchor("identifier", "NAME 7X", "name 7x", 1))).toBe(true);
  });

  it("has everything of which nothing is left", () => {
    expect(knownFacts("x", []).has(anchor("identifier", "--", "--", 1))).toBe(true);
  });
});

describe("a number of more than 40 digits, which is not read as a number", () => {
  const digits = `1${"2".repeat(40)}`;

  it.each([
    [digits, true],
    [`x${digits}`, true],
    [`/${digits}:`, true],
    [`7${digits} and ${digits}`, true],
    [`7${digits}`, false],
    [`0${digits}`, false],
    [`${digits}9`, false],
    [`${digits}0`, false],
  ])("is known from %s: %s", (source, isKnown) => {
    expect(knownFacts(source, []).has(anchor("number", digits, digits, 1))).toBe(isKnown);
  });
});

describe("what a source knows of its anchors alone", () => {
  const knownFrom = (known: Anchor) => {
    const block = { speaker: "", start: 0, text: "x", anchors: [known] };
    return (kind: AnchorKind, key: string) => knownFacts("x", [block]).has(anchor(kind, key, key, 1));
  };

  it("is a file without its folder and a folder without its file, of paths and addresses only", () => {
    for (const kind of ["path", "url"] as const) {
      const has = knownFrom(anchor(kind, "/srv/lantern/a.ts", "/srv/lantern/a.ts", 1));
      expect([has("identifier", "a.ts"), has("identifier", "/srv/lantern")]).toEqual([true, true]);
    }
    const has = knownFrom(anchor("identifier", "lantern/a.ts", "lantern/a.ts", 1));
    expect([has("identifier", "a.ts"), has("identifier", "lantern")]).toEqual([false, false]);
  });

  it("is a rounded time of times only", () => {
    expect(knownFrom(anchor("time", "08:14", "08:14", 1))("time", "08:00")).toBe(true);
    expect(knownFrom(anchor("identifier", "08:14", "08:14", 1))("time", "08:00")).toBe(false);
  });
});

describe("an anchor that is searched for", () => {
  it("is searched for as it is written, unless it is a path", () => {
    const facts = knownFacts("vx 1", []);
    expect(facts.has(anchor("identifier", "VX-1", "other", 1))).toBe(true);
    expect(facts.has(anchor("path", "VX-1", "other", 1))).toBe(false);
  });

  it("is known without a search where it occurs between digits, or nothing of it is left", () => {
    const facts = knownFacts("1name2", []);
    for (let search = 0; search < 200; search++)
      facts.has(anchor("identifier", `other-${search}`, `other-${search}`, 1));
    const has = (text: string) => facts.has(anchor("identifier", text, text, 1));
    expect([has("NAME"), has("name"), has("--")]).toEqual([false, true, true]);
  });

  it("is known where it is not a number after all, and is no count where more follows", () => {
    const has = (text: string) => knownFacts("x", []).has(anchor("number", text, text, 1));
    expect([has("many"), has("7 files"), has("7 files/s")]).toEqual([true, true, false]);
  });
});

describe("what a summary mentions", () => {
  const mentions = (summary: string, kind: AnchorKind, key: string) =>
    mentionedIn(summary)(anchor(kind, key, key, 1));

  it.each<[string, AnchorKind, string, boolean]>([
    ["It has VX-40417.", "identifier", "vx-40417", true],
    ["It has VX-40418.", "identifier", "vx-40417", false],
    ["It read settings.toml.", "path", "/srv/settings.toml", true],
    ["It read /srv/settings.toml.", "path", "/other/settings.toml", true],
    ["It read /srv/settings.toml.", "path", "/srv/other.toml", false],
    ["On 2026-04-21.", "date", "2026-04-21", true],
    ["On April 21.", "date", "2026-04-21", true],
    ["On 2026-04-21.", "date", "04-21", true],
    ["On April 22.", "date", "2026-04-21", false],
    ["It is VX-04-21.", "date", "2026-04-21", false],
    ["The retry failed.", "identifier", "handleretry", false],
    ["See https://example.org/plan.md for it.", "path", "docs/plan.md", false],
    ["They ran  GIT   push origin.", "command", "git push origin", true],
    ["They ran git pull.", "command", "git push origin", false],
    ["maren wrote it", "name", "maren", true],
    ["Expand for details about: maren", "name", "maren", false],
    ["  Expand for details about: maren", "name", "maren", false],
    ["  Expand for details about: maren\nHaruka", "name", "haruka", true],
    ["Maren came\nHaruka left", "name", "haruka", true],
    ["Never restart the ingest service.", "constraint", "restart ingest service night sunset", true],
    ["It was restart day.", "constraint", "restart ingest service night sunset", false],
    ["The restart. The ingest.", "constraint", "restart ingest service night sunset", false],
    ["Restart ingest.", "constraint", "restart ingest service night sunset", true],
    ["Restart ingest.", "constraint", "restart ingest service night sunset dawn", false],
    ["Restart it. Restart ingest.", "constraint", "restart ingest service night sunset", true],
    ["Restart ingest. Restart it.", "constraint", "restart ingest service night sunset", true],
    ["number 47115", "number", "47115", true],
    ["at 08:14", "time", "08:15", false],
  ])("%j mentions %s %s: %s", (summary, kind, key, isMentioned) => {
    expect(mentions(summary, kind, key)).toBe(isMentioned);
  });
});

describe("a summary that keeps nothing", () => {
  const fidelity = (anchors: number, kept: number, score: number): Fidelity => ({
    anchors,
    score,
    missing: Array.from({ length: anchors - kept }, () => ({
      ...anchor("name", "x", "x", 1),
      isPrinted: false,
      start: 0,
    })),
    invented: [],
  });

  it.each<[number, number, number, boolean]>([
    [11, 0, 0, false],
    [12, 0, 0, true],
    [12, 1, 0, false],
    [12, 0, 0.05, false],
    [12, 0, 0.049, true],
    [40, 0, 0, true],
    [40, 1, 0, false],
    [41, 1, 0, true],
    [41, 2, 0, false],
    [400, 4, 0, true],
    [400, 5, 0, false],
    [4_000, 4, 0, true],
    [4_000, 5, 0, false],
  ])("of %d anchors has %d and a score of %d: %s", (anchors, kept, score, isEmpty) => {
    expect(keepsNothing(fidelity(anchors, kept, score))).toBe(isEmpty);
  });
});

describe("a source that is read once", () => {
  const source = "[2026-03-09 08:14 | user]\nThe head VX-40417 runs at 1087.5 V in /srv/lantern.";

  it("answers the same for each summary, in any order", () => {
    const check = new FidelityCheck(source);
    const summaries = ["VX-40417 at 1087.5 V", "It has 99999 rows.", "VX-40417 at 1087.5 V", source];
    const alone = summaries.map((summary) => new FidelityCheck(source).check(summary));
    expect(summaries.map((summary) => check.check(summary))).toEqual(alone);
    expect(alone.map(isFaithful)).toEqual([true, false, true, true]);
    expect(alone.map(({ missing }) => missing.length)).not.toContain(undefined);
    expect(check.coverage("VX-40417")).toEqual(new FidelityCheck(source).coverage("VX-40417"));
  });

  it("is read as a whole, long listings too, before something counts as invented", () => {
    const row = (index: number) => (index === 400 ? "moved on 2026-05-17" : `row ${index} is ${index * 7}.5`);
    const rows = Array.from({ length: 800 }, (_, index) => row(index)).join("\n");
    const check = new FidelityCheck(`${source}\n\n[2026-03-09 08:20 | tool]\n${rows}`);
    expect(check.check("It was moved on 17 May 2026.").invented).toEqual([]);
    expect(check.check("It was moved on 18 May 2026.").invented).toHaveLength(1);
  });

  it("names each invention once, and none of two characters or with spaces", () => {
    const invented = (summary: string) =>
      new FidelityCheck(source).check(summary).invented.map(({ text }) => text);
    expect(invented("99999 and 99999 and 88888")).toEqual(["99999", "88888"]);
    expect(invented("q7")).toEqual([]);
    expect(invented("q7x")).toEqual(["q7x"]);
    expect(invented("`some other words`")).toEqual([]);
    expect(invented("Haruka met Maren, then Haruka left with `make all`.")).toEqual([]);
  });
});
