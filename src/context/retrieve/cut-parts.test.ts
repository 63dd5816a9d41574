import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Part } from "../../types.ts";
import { cutParts } from "./cut-parts.ts";
import { textsOfParts } from "./message-text.ts";

const text = fc.string({ maxLength: 8 });
const orNull = fc.option(text);
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({ type: fc.constant("reasoning" as const), text }),
  fc.record({
    type: fc.constant("tool" as const),
    status: fc.constant("completed" as const),
    ...{ callId: orNull, name: orNull, input: orNull, output: orNull },
  }),
  fc.record({ type: fc.constant("file" as const), mime: orNull, name: orNull, url: orNull }),
  fc.record({ type: fc.constant("patch" as const), hash: orNull, files: fc.array(text, { maxLength: 3 }) }),
  fc.record({ type: fc.constant("subtask" as const), prompt: text, description: orNull, agent: orNull }),
  fc.record({ type: fc.constant("compaction" as const), auto: fc.boolean(), text }),
  fc.record({ type: fc.constant("retry" as const), attempt: fc.constant(1), error: orNull }),
  fc.record({ type: fc.constant("step_start" as const) }),
  fc.record({ type: fc.constant("other" as const), blockType: text, text }),
);

function wordsOf(parts: readonly Part[]): string {
  return textsOfParts(parts)
    .map((one) => one.text)
    .join("");
}

describe("parts that are cut", () => {
  it("hold the first characters of the whole, and no others", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.nat({ max: 40 }), (parts, characters) => {
        expect(wordsOf(cutParts(parts, characters))).toBe(wordsOf(parts).slice(0, characters));
      }),
    );
  });

  it("do not hold a file that stands in a message itself", () => {
    const image: Part = {
      type: "file",
      mime: "image/png",
      name: null,
      url: `data:image/png;base64,${"A".repeat(999)}`,
    };
    expect(JSON.stringify(cutParts([image, { type: "text", text: "See there." }], 3))).not.toContain("AAA");
  });
});
