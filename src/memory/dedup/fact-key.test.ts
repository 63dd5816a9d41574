import { describe, expect, it } from "vitest";
import { factKeyOf } from "./fact-key.ts";

describe("a preference is about", () => {
  it.each([
    ["Preferred editor: VS Code", "preferences:editor", "VS Code"],
    ["**Editor**: Vim.", "preferences:editor", "Vim"],
    ["编辑器：Vim", "preferences:编辑器", "Vim"],
    ["Shell -> fish", "preferences:shell", "fish"],
    ["My favourite colour is blue.", "preferences:colour", "blue"],
    ["User's favorite color is now green", "preferences:color", "green"],
    ["Meine Lieblingsfarbe ist Blau", "preferences:farbe", "Blau"],
    ["Ma couleur préférée est le bleu", "preferences:couleur", "le bleu"],
    ["我最喜欢的颜色是蓝色", "preferences:颜色", "蓝色"],
    ["好きな色は青です", "preferences:色", "青"],
    ["가장 좋아하는 색은 파랑입니다", "preferences:색", "파랑"],
    ["Prefers Vim over Emacs as editor", "preferences:editor", "Vim"],
    ["I use fish as my default shell.", "preferences:shell", "fish"],
  ])("%s", (abstract, key, value) => {
    expect(factKeyOf("preferences", abstract)).toMatchObject({ key, value });
  });

  it.each([
    "User prefers VS Code",
    "Likes hiking and tea",
    "Meets at 10:30 on Mondays",
    "Reads https://example.org every day",
    "I like two things: tea and cake",
    "He said that it was over. Note: nothing",
    ": value",
    "12: twelve",
  ])("nothing safe: %s", (abstract) => {
    expect(factKeyOf("preferences", abstract)).toBeNull();
  });
});

describe("an entity", () => {
  it.each([
    ["Anna's phone number is 555-0100", "entities:anna phone number", "555-0100"],
    ["The Atlas service's owner is now Dana", "entities:atlas service owner", "Dana"],
    ["Atlas port: 8080", "entities:atlas port", "8080"],
  ])("%s", (abstract, key, value) => {
    expect(factKeyOf("entities", abstract)).toMatchObject({ key, value });
  });

  it("has no key where there may be several at once", () => {
    expect(factKeyOf("entities", "Anna's friend is Tom")).toBeNull();
  });
});

it("other categories have none", () => {
  for (const category of ["profile", "events", "cases", "patterns"] as const)
    expect(factKeyOf(category, "Editor: Vim")).toBeNull();
});
