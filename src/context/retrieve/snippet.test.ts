import { describe, expect, it } from "vitest";
import { escapeControls } from "../../text/escape-controls.ts";
import { snippetOf } from "./snippet.ts";

const TEXT = Array.from({ length: 40 }, (_, i) => `line ${i} says little`).join("\r\n");

describe("a snippet of lines that end with carriage returns", () => {
  it("shows none of them, wherever it is cut", () => {
    for (let length = 1; length < 120; length++) {
      const start = TEXT.indexOf("line 20");
      const { text } = snippetOf({ text: TEXT, spans: [{ start, end: start + 4 }] }, { length });
      expect(escapeControls(text)).not.toContain("␍");
    }
    for (const lines of [0, 1, 5]) {
      const start = TEXT.indexOf("line 7");
      const { text } = snippetOf({ text: TEXT, spans: [{ start, end: start + 4 }] }, { length: 9, lines });
      expect(escapeControls(text)).not.toContain("␍");
      expect(text.split("\n")).toHaveLength(1 + 2 * lines);
    }
  });
});
