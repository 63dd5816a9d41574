import { describe, expect, it } from "vitest";
import { escapeControls, oneLine } from "../escape-controls.ts";
import { createLook } from "./look.ts";
import { displayWidth, fitWidth, table } from "./table.ts";

const look = createLook({ colour: false, columns: 24, isTerminal: true, timezone: "UTC" });

describe("display width", () => {
  it("counts CJK and emoji as two columns and combining marks as none", () => {
    expect(displayWidth("plain")).toBe(5);
    expect(displayWidth("漢字かな한글")).toBe(12);
    expect(displayWidth("ＡＢ，。")).toBe(8);
    expect(displayWidth("🙂👩‍👩‍👧‍👦🇩🇪❤️")).toBe(8);
    expect(displayWidth("e\u0301äö")).toBe(3);
    expect(displayWidth("a\u200bb")).toBe(2);
  });

  it("cuts at a whole character and says that it did", () => {
    expect(fitWidth("漢字かな", 8)).toBe("漢字かな");
    expect(fitWidth("漢字かな", 6)).toBe("漢字…");
    expect(fitWidth("abcdef", 4)).toBe("abc…");
  });
});

describe("control characters", () => {
  it("are shown and not obeyed, newline and tab aside", () => {
    expect(escapeControls("\u001b[31mred\u0000\u007f\u009b\u2066\tx\ny\r\nz\rw")).toBe(
      "␛[31mred␀␡<U+009B><U+2066>\tx\ny\nz␍w",
    );
    expect(oneLine("one\n\ttwo\u0007 ")).toBe("one two␇");
  });
});

describe("table", () => {
  it("aligns by display width and fits the flexible column into the line", () => {
    const columns = [
      { title: "id" },
      { title: "n", align: "right" },
      { title: "title", flexible: true },
    ] as const;
    const text = table(
      columns,
      [
        ["漢字", "7", "short"],
        ["ab", "1,234", "a title that is far too long"],
      ],
      look,
    );
    expect(text.split("\n")).toEqual([
      "id        n  title",
      "漢字      7  short",
      "ab    1,234  a title tha…",
    ]);
  });

  it("cuts the widest of the other columns, when the flexible one alone does not make it fit", () => {
    const columns = [
      { title: "id" },
      { title: "n", align: "right" },
      { title: "why" },
      { title: "text", flexible: true },
    ] as const;
    const row = ["conv_0123456789abcdef", "1,234,567", "a reason of many words", "a title that is long"];
    const lines = table(columns, [row], { ...look, columns: 60 }).split("\n");
    expect(lines).toEqual([
      "id                             n  why           text",
      "conv_0123456789abcdef  1,234,567  a reason of…  a title tha…",
    ]);
  });
});
