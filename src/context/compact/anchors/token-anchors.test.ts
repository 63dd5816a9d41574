import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenAnchorsByDefinition } from "../testing/token-anchors-by-definition.ts";
import { tokenAnchors } from "./token-anchors.ts";

const PIECES = [
  ..."aAzZ09.,:;-_/\\@#+~%&?$^\"'`()[]{}<>|!= \n\t",
  ..."éÉßµ°‐‑−…年月日월일中文ひカ한ж Жǅϒ\u00a0\u202f\u0345😀\ud800\udc00",
  ..."word Word. WORD fooBar HTTPServer snake_case kebab-case a.b.c v1.2.3 end.Start #123 #12345678 --flag".split(
    " ",
  ),
  ..."src/a.ts:12:5 ./README.md C:\\x\\y.txt ../up/ a//b either/or </file> ~/x /etc/hosts x.y/z-1/q".split(
    " ",
  ),
  ..."12 12,345 1.087,5 12_345 1e9 10k 2.5M $99 €1.200,50 25% 3rd 5-minute 9f3c1e7 deadBeef GR8-2207".split(
    " ",
  ),
  ..."2026-04-21 21.04.2026 4/21/2026 2026-03-15T02:59:30Z 18:00 45:99 8:21:33.123 2026年4月21日 2026.99.1".split(
    " ",
  ),
  ..."March May 9 9th 21. de abril mai. April Juni 3月 9日 ms V % kg Zeilen °C".split(" "),
  ..."https://a.org/b?c=1#d). ftp://x :// http:// name@host agent:main Module::member GitHub utf-8 sha256".split(
    " ",
  ),
  '{"id": "220af848ca9406fe", "count": 69588, "ok": true}',
  "export function hetanat_to(from: string, opts?: Options): Promise<void> {",
  "シリアル番号はGR8-2207-0431です。ポート47115に、",
  "日本語のWord文書とConfig設定を。",
  "밤에는 Server3를 재시작하지 마세요",
];

const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES, " ", " ", " ") },
      fc.string({ unit: "binary" }),
    ),
  )
  .map((pieces) => pieces.join(""));

describe("the anchors of tokens", () => {
  it("are those of their definition, whatever the text", () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(tokenAnchors(written)).toEqual(tokenAnchorsByDefinition(written));
      }),
      { numRuns: 5_000 },
    );
  });

  it("are the same when the spellings are known from other texts", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        const known = new Map();
        for (const written of texts)
          expect(tokenAnchors(written, known)).toEqual(tokenAnchorsByDefinition(written));
      }),
      { numRuns: 1_000 },
    );
  });
});
