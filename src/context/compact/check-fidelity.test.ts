import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFidelity, isFaithful } from "./check-fidelity.ts";

const SOURCE = `[2026-03-09 08:14 | user]
The spare head VX-40417-KITTIWAKE runs at 1087.5 V. Never write to /mnt/archive.
The inspection is on 2026-04-21. There are 12,345 rows, and the run took 3.41 s.

[2026-03-09 08:20 | assistant]
I read the settings.
tool read_file(path: /srv/lantern/src/settings.toml, encoding: utf8)

[2026-03-09 08:20 | tool]
result of read_file, completed:
temp_coefficient = 0.0137 # https://example.org/calibration`;

const invented = (summary: string) => checkFidelity(SOURCE, summary).invented.map(({ text }) => text);

describe("invented", () => {
  it.each([
    ["a path", "Wrote /srv/lantern/secret.py.", ["/srv/lantern/secret.py"]],
    ["a number with a unit", "It runs at 1078.5 V.", ["1078.5 V"]],
    ["a large number", "There are 54321 rows.", ["54321 rows"]],
    ["an identifier", "The head VX-40471-KITTIWAKE is spare.", ["VX-40471-KITTIWAKE"]],
    ["a date", "The inspection is on 2026-04-22.", ["2026-04-22"]],
    ["a date in words", "The inspection is on 22 April 2026.", ["22 April 2026"]],
    ["a URL", "See https://example.org/other.", ["https://example.org/other"]],
    ["a time", "At 13:17 the agent read the settings.", ["13:17"]],
    ["a time near a known one that is not rounded", "At 08:17 the agent read the settings.", ["08:17"]],
  ])("is %s that the source does not have", (_, summary, found) => {
    expect(invented(summary)).toEqual(found);
    expect(isFaithful(checkFidelity(SOURCE, summary))).toBe(false);
  });

  it.each([
    ["another spelling of a number", "12345 rows, 1,087.5 V"],
    ["a rounded number", "about 12,000 rows in 3.4 s"],
    ["another form of a date", "The inspection is on 21 April 2026, that is April 21."],
    ["the name of a known file", "It read settings.toml."],
    ["a path put together from known pieces", "/srv/lantern/settings.toml"],
    ["another case, dash or quote", "`vx-40417-kittiwake`, Temp-Coefficient"],
    ["a count", "Three things: 7 files and 6 tests."],
    ["a time rounded to the half hour", "08:00 Maren explains; 08:30 done."],
    ["punctuation behind it", "(/mnt/archive), “1087.5 V”."],
    [
      "a line of form",
      "Files: none\nExpand for details about: /no/such/file.ts, 99999\n2026-01-01 – 2026-12-31\nAlso: XY-99999-Z",
    ],
    ["a name", "Maren and Haruka agreed."],
  ])("is not %s", (_, summary) => {
    expect(invented(summary)).toEqual([]);
  });

  it("is nothing in the source's own words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(checkFidelity(text, text).invented).toEqual([]);
      }),
    );
  });
});

describe("the score", () => {
  it("is 1 for the source itself and falls with what is lost", () => {
    const half = "VX-40417-KITTIWAKE runs at 1087.5 V. Never write to /mnt/archive.";
    const none = "They talked about a few things.";
    const [all, some, nothing] = [SOURCE, half, none].map((summary) => checkFidelity(SOURCE, summary).score);
    expect(all).toBe(1);
    expect(some).toBeGreaterThan(0.4);
    expect(some).toBeLessThan(1);
    expect(nothing).toBe(0);
  });

  it("counts what a person said far more than what a tool printed", () => {
    const person = checkFidelity(SOURCE, "VX-40417-KITTIWAKE").score;
    const tool = checkFidelity(SOURCE, "temp_coefficient").score;
    expect(person).toBeGreaterThan(5 * tool);
    expect(tool).toBeGreaterThan(0);
  });

  it("is not drowned by a long listing, a pasted table or thoughts", () => {
    const rows = Array.from({ length: 800 }, (_, i) => `${i},${i * 7}.5,0x${i}f,${i * 13}`).join("\n");
    const said = "[2026-03-09 08:14 | user]\nThe spare head VX-40417-KITTIWAKE runs at 1087.5 V.";
    const summary = "2026-03-09: the spare head VX-40417-KITTIWAKE runs at 1087.5 V.";
    for (const more of [
      `\n\n[2026-03-09 08:20 | tool]\n${rows}`,
      `\n${rows}`,
      `\n\n[2026-03-09 08:21 | assistant thinking]\n${rows}`,
    ])
      expect(checkFidelity(said + more, summary).score).toBeGreaterThan(0.75);
  });

  it("asks for rules that people set, not for those of agents and manuals", () => {
    const rule = "You must never restart the ingest service at night.";
    const missing = (speaker: string) =>
      checkFidelity(`[2026-03-09 08:14 | ${speaker}]\n${rule}`, "").missing.map(({ kind }) => kind);
    expect(missing("user")).toContain("constraint");
    for (const speaker of ["assistant", "tool", "assistant thinking", "system"])
      expect(missing(speaker)).not.toContain("constraint");
  });

  it("asks for nothing that a host slipped in", () => {
    expect(
      checkFidelity("[2026-03-09 08:14 | user]\n(added by the host) Never use port 47115.", "").missing,
    ).toEqual([]);
  });

  it("lies between 0 and 1, and is 1 where nothing could be lost", () => {
    expect(checkFidelity("hello there", "").score).toBe(1);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (source, summary) => {
        const { score } = checkFidelity(source, summary);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("knows a rule again in other words, and not its opposite's neighbour", () => {
    const source = "[2026-03-09 08:14 | user]\nNever restart the ingest service between sunset and sunrise.";
    const kept = checkFidelity(source, "The ingest service is never restarted between sunset and sunrise.");
    const lost = checkFidelity(source, "The service was restarted.");
    expect(kept.missing.map(({ kind }) => kind)).not.toContain("constraint");
    expect(lost.missing.map(({ kind }) => kind)).toContain("constraint");
  });

  it("does not count what the last line offers to expand", () => {
    expect(checkFidelity(SOURCE, "Expand for details about: VX-40417-KITTIWAKE, 1087.5 V").score).toBe(0);
  });
});

describe("missing", () => {
  it("does not ask for the figures of what the rendering left out", () => {
    const source = "The port is 47115.\n[… 3,975 characters left out …]\n[9,648 characters of base64]";
    expect(checkFidelity(source, "Nothing.").missing.map(({ text }) => text)).toEqual(["47115"]);
  });

  it("starts with the rule, then the serial number", () => {
    const kinds = checkFidelity(SOURCE, "").missing.map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(["constraint", "identifier"]);
  });

  it("takes linear time on many anchors", () => {
    const source = Array.from({ length: 20_000 }, (_, i) => `ID-${i}-X must ${i}.5 V`).join("\n");
    const summary = Array.from({ length: 500 }, (_, i) => `ID-${i * 7919}-Y must not`).join("\n");
    const start = process.cpuUsage();
    checkFidelity(source, summary);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(6_000);
  });
});
