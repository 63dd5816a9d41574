import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractAnchors } from "./anchors.ts";

const keysOf = (text: string, kind: string) =>
  extractAnchors(text)
    .filter((anchor) => anchor.kind === kind)
    .map(({ key }) => key);

describe("anchors", () => {
  it.each([
    ["identifier", "The label says VX-40417-KITTIWAKE.", ["vx-40417-kittiwake"]],
    ["identifier", "commit 9f3c1e7 is out", ["9f3c1e7"]],
    [
      "identifier",
      "call renderSource and MAX_RETRIES in snake_case",
      ["rendersource", "max_retries", "snake_case"],
    ],
    ["identifier", "see #1234 and L-31 or warmroom-3", ["#1234", "l-31", "warmroom-3"]],
    ["identifier", "sqlite3.OperationalError", ["sqlite3.operationalerror"]],
    ["identifier", "the word `ingest` in backticks", ["ingest"]],
    ["identifier", "シリアル番号はGR8-2207-0431です", ["gr8-2207-0431"]],
    ["identifier", "read-only, well-known, GitHub, 5-minute, 3rd", []],
    ["number", "set to 1087.5 V and 1,087.5 and 1.087,5", ["1087.5"]],
    ["number", "12,345 rows, 12345 rows, 12_345", ["12345"]],
    ["number", "period 2.391417 days, 25 % of 40", ["2.391417", "25 %"]],
    ["number", "three of 12 things in 5 boxes on the 7th", []],
    ["number", "a hold-up of 5 s at 3 V", ["5 s", "3 v"]],
    ["number", "ポート47115に", ["47115"]],
    ["date", "on 2026-04-21, 21.04.2026, 4/21/2026, April 21, 2026 or 21 April 2026", ["2026-04-21"]],
    ["date", "le 21 avril 2026, el 21 de abril de 2026, am 21. April 2026", ["2026-04-21"]],
    ["date", "2026年4月21日と2026년 4월 21일", ["2026-04-21"]],
    ["date", "at 2026-03-15T02:59:30Z", ["2026-03-15"]],
    ["date", "until April 21. Then rest.", ["04-21"]],
    ["date", "the March of time, may 3 files, version 2026.99.1", []],
    ["time", "between 18:00 and 06:00 UTC, ratio 45:99", ["18:00", "06:00"]],
    [
      "path",
      "see /srv/lantern/lantern.db, src/a.ts:12:5 and ./README.md",
      ["/srv/lantern/lantern.db", "src/a.ts", "readme.md"],
    ],
    ["path", "C:\\Users\\me\\notes.txt", ["c:/users/me/notes.txt"]],
    ["path", "either/or, 3/4, and/or, <file>x</file>", []],
    ["url", "(https://example.org/a?b=1&c=2).", ["https://example.org/a?b=1&c=2"]],
    ["command", "run `git push --force origin main` now", ["git push origin"]],
    ["command", "$ npm test -- --run", ["npm test"]],
    ["name", "Yesterday Haruka met Maren, then Haruka left.", ["haruka", "maren"]],
  ])("of kind %s in %j", (kind, text, keys) => {
    expect(keysOf(text, kind)).toEqual(keys);
  });

  it.each([
    "Never write to /mnt/archive.",
    "You must not restart the service.",
    "Don't touch the dome.",
    "Do not power-cycle the dome.",
    "Der Dienst darf nicht neu gestartet werden.",
    "Il ne faut jamais redémarrer le service.",
    "Nunca reinicies el servicio de noche.",
    "晚上绝对不要重启服务。",
    "その間はドームの電源を絶対に切らないでください",
    "밤에는 서비스를 절대 재시작하지 마세요",
  ])("take %j for a rule", (text) => {
    expect(extractAnchors(text).some(({ kind }) => kind === "constraint")).toBe(true);
  });

  it.each([
    "I don't know what happened there.",
    "The spool survives it, my nerves do not.",
    "遅れは正常に戻りました。",
    "Ich weiß es wirklich nicht mehr.",
  ])("do not take %j for a rule", (text) => {
    expect(extractAnchors(text).some(({ kind }) => kind === "constraint")).toBe(false);
  });

  it("come once, in order, and weigh more when repeated", () => {
    const once = extractAnchors("port 47115 and VX-40417-KITTIWAKE");
    const often = extractAnchors("port 47115 and VX-40417-KITTIWAKE, 47115 again, 47115");
    expect(often.map(({ key }) => key)).toEqual(["47115", "vx-40417-kittiwake"]);
    expect(often[0]?.weight).toBeGreaterThan(once[0]?.weight ?? Infinity);
    expect(often[1]?.weight).toBe(once[1]?.weight);
  });

  it("occur in the text word for word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const flat = text.replace(/\s+/g, " ");
        for (const anchor of extractAnchors(text))
          expect(flat).toContain(anchor.text.replace(/\s+/g, " ").trim());
      }),
    );
  });

  it.each([
    "a",
    "A",
    "1",
    "1,",
    "1.",
    ".",
    "-",
    "_",
    "/",
    "a/",
    "`",
    "`a",
    "$ ",
    "a.b ",
    "a: ",
    "禁",
    "ない",
    " ",
    "\n",
    "1:",
    "://",
    "2026-",
    "May 1 ",
    "never ",
    "don't ",
    "(",
    "[x | y]\n",
    "command: a ",
    "😀",
    "\ud800",
  ])("take linear time on 200 kB of %j", (piece) => {
    const time = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const start = process.cpuUsage();
      extractAnchors(text);
      const used = process.cpuUsage(start);
      return (used.user + used.system) / 1000;
    };
    time(50_000);
    expect(time(200_000)).toBeLessThan(1_500);
  });
});
