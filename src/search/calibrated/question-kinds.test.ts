import { describe, expect, it } from "vitest";
import { asksForList, isQuestion, speakerPrior, termsWithoutNames } from "./question-kinds.ts";

describe("a question", () => {
  it.each([
    ["When is my exam?", true],
    ["What did you recommend for my exam?", false],
    ["Can you summarize how my project went?", false],
    ["Give me an overview of my project", false],
    ["In which order did I mention my exams?", true],
  ])("%s prefers what the user said: %s", (question, expected) => {
    const prior = speakerPrior(question);
    expect(prior("user") > prior("assistant")).toBe(expected);
  });

  it("prefers the speaker that it names", () => {
    const prior = speakerPrior("What did Ana buy?");
    expect(prior("Ana")).toBeGreaterThan(prior("Ben"));
  });

  it.each([
    ["Which countries has Ana visited?", true],
    ["How many books did Ana read?", true],
    ["Which country did Ana visit?", false],
    ["Have you seen it? What is it?", false],
  ])("%s asks for a list: %s", (question, expected) => {
    expect(asksForList(question)).toBe(expected);
  });

  it("is searched without names of speakers, unless it has nothing else", () => {
    const [ana, boat] = ["ana", "boat"].map((stem) => ({ stem, weight: 1 }));
    if (ana === undefined || boat === undefined) throw new Error("two terms");
    expect(termsWithoutNames([ana, boat], ["Ana", "user", null])).toEqual([boat]);
    expect(termsWithoutNames([ana], ["Ana"])).toEqual([ana]);
  });

  it("ends with a question mark, whatever closes it", () => {
    expect(["Why?", "“Why?”", "为什么？", "Why? I ask."].map(isQuestion)).toEqual([true, true, true, false]);
  });
});
