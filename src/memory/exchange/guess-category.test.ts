import { describe, expect, it } from "vitest";
import { guessCategory } from "./guess-category.ts";

describe("the category of what nobody sorted", () => {
  it.each([
    ["Preferences", "Lives in Graz", "preferences"],
    ["About the user", "x", "profile"],
    ["Team & projects", "x", "entities"],
    ["Lessons learned", "Likes tea", "cases"],
    ["Workflows", "x", "patterns"],
    ["Decisions", "x", "events"],
    ["用户偏好", "x", "preferences"],
    ["", "Anna prefers tea", "preferences"],
    ["", "Her name is Anna", "profile"],
    ["", "Fixed the timeout by raising the limit", "cases"],
    ["", "Always run the tests first", "patterns"],
    ["", "We decided to ship on Monday", "events"],
    ["Blog", "The sky is blue", undefined],
    ["Login", "The sky is blue", undefined],
    ["", "", undefined],
  ])("below %j, saying %j, is %s", (heading, sentence, expected) => {
    expect(guessCategory(heading, sentence)).toBe(expected);
  });
});
