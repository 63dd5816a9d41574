import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import type { Statement } from "./statement.ts";
import { StatementPicker } from "./statement-picker.ts";
import { weighStatements } from "./weigh-statements.ts";

function pickerOf(texts: readonly string[], room: number): StatementPicker {
  const statements = texts.map((text, index): Statement => {
    return { index, moment: index, speaker: "user", text, standing: 0.5, replaces: false };
  });
  return new StatementPicker(weighStatements(statements, "leaf"), room, estimateTokens);
}

const tokensOf = (picker: StatementPicker) =>
  picker.taken.reduce((sum, { text }) => sum + estimateTokens(text), 0);

describe("chosen statements", () => {
  it("never take more room than was given", () => {
    const sentences = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(sentences, fc.integer({ min: 0, max: 200 }), (texts, room) => {
        const picker = pickerOf(texts, room);
        picker.fill(room);
        expect(tokensOf(picker)).toBeLessThanOrEqual(room);
      }),
    );
  });

  it("grow with more room, and what was too long before fits then", () => {
    const long = `The port is 47115 and the order number is SO-66120-B, ${"which everybody should keep in mind, ".repeat(4)}really.`;
    const picker = pickerOf([long, "The label says VX-40417-KITTIWAKE."], 200);
    picker.fill(30);
    expect(picker.taken.map(({ text }) => text)).toEqual(["The label says VX-40417-KITTIWAKE."]);
    picker.fill(100);
    expect(picker.taken.map(({ text }) => text)).toEqual([long, "The label says VX-40417-KITTIWAKE."]);
  });

  it("are given back in the reverse order of their choice", () => {
    const picker = pickerOf(
      ["Nothing much happened in the garden today.", "Never write to /mnt/archive."],
      200,
    );
    picker.fill(200);
    expect(picker.giveBack()).toBe(true);
    expect(picker.taken.map(({ text }) => text)).toEqual(["Never write to /mnt/archive."]);
    expect([picker.giveBack(), picker.giveBack()]).toEqual([true, false]);
  });

  it("prefer something new to the same again", () => {
    const texts = [
      "The dome motor stopped because of frost.",
      "Because of frost the dome motor stopped again.",
      "The receiver lost its clock battery.",
    ];
    const picker = pickerOf(texts, 200);
    picker.fill(38);
    expect(picker.taken.map(({ index }) => index)).toEqual([0, 2]);
  });

  it("may say nearly the same again for something that can be looked up", () => {
    const texts = [
      "The northern dome motor stopped yesterday because of heavy frost.",
      "Because of heavy frost the northern dome motor stopped yesterday (pump_a).",
    ];
    const picker = pickerOf(texts, 200);
    picker.fill(200);
    expect(picker.taken).toHaveLength(2);
  });
});
