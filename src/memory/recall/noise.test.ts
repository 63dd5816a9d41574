import { describe, expect, it } from "vitest";
import { noiseOf } from "./noise.ts";

describe("noise", () => {
  it.each([
    ["Hi!", "greeting"],
    ["Hello there", "greeting"],
    ["Guten Morgen", "greeting"],
    ["你好！", "greeting"],
    ["I don't have any information about that.", "denial"],
    ["I do not recall", "denial"],
    ["No relevant memories found.", "denial"],
    ["Do you remember my dog?", "about-memory"],
    ["你还记得我的狗吗", "about-memory"],
    ["You never remember anything!", "about-memory"],
    ["HEARTBEAT_OK", "diagnostic"],
    ["query -> none", "diagnostic"],
    ["…", "empty"],
  ])("%s is %s", (text, kind) => {
    const noise = noiseOf(text);
    expect(noise.kind).toBe(kind);
    expect(noise.factor).toBeLessThan(1);
    expect(noise.factor).toBeGreaterThan(0);
  });

  it.each([
    "Highly allergic to peanuts",
    "History exam is on 12 March",
    "Hiking every weekend",
    "His manager is called Dana",
    "Hi-fi audio is a hobby of his",
    "Heyward is the lead engineer",
    "Hello Kitty is her favourite brand",
    "Good morning routines start with tea",
    "I don't have any siblings",
    "I don't recall names well because of an accident",
    "No relevant memories of childhood before age six, says Tom",
    "New session tokens last 30 minutes",
    "Vim",
    "7",
  ])("the greeting filter does not eat facts: %s", (text) => {
    expect(noiseOf(text)).toMatchObject({ factor: 1, kind: null });
  });
});
