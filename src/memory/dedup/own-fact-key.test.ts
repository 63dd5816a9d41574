import { describe, expect, it } from "vitest";
import { ownFactKey } from "./own-fact-key.ts";

describe("a sentence of oneself is about", () => {
  it.each([
    ["My name is Alice.", "profile:name"],
    ["I live in Rome.", "profile:home"],
    ["I live in Paris now.", "profile:home"],
    ["I live in Rio de Janeiro", "profile:home"],
    ["I've just moved to Oslo!", "profile:home"],
    ["Ich wohne in Berlin.", "profile:home"],
    ["Ich wohne jetzt in Hamburg.", "profile:home"],
    ["Ich heiße Anna", "profile:name"],
    ["J’habite à Lyon", "profile:home"],
    ["Vivo en Madrid", "profile:home"],
    ["Moro em Lisboa", "profile:home"],
    ["Abito a Torino", "profile:home"],
    ["Я живу в Москве", "profile:home"],
    ["我住在上海", "profile:home"],
    ["私は東京に住んでいます", "profile:home"],
    ["저는 서울에 살아요", "profile:home"],
    ["I am 41 years old", "profile:age"],
    ["I work at Acme Corp.", "profile:employer"],
    ["My phone number is 12345", "profile:phone"],
    ["My mobile is +49 170 1234567", "profile:mobile"],
    ["My email is a@b.example", "profile:email"],
    ["My work email is a@b.example", "profile:work email"],
    ["My birthday is 3 May", "profile:birthday"],
    ["Mein Geburtstag ist am 12. Oktober 1990.", "profile:birthday"],
  ])("%s", (sentence, key) => {
    expect(ownFactKey(sentence)).toBe(key);
  });

  it.each([
    "I live in Rome and am allergic to nuts",
    "I live in Rome with my sister",
    "I live with my sister",
    "I live in Italy",
    "Ich lebe in Deutschland",
    "Ich lebe in Scheidung",
    "I live in a small house",
    "I am from Rome",
    "I grew up in Rome",
    "I am a nurse",
    "I'm Alice",
    "My name is hard to pronounce",
    "My name is Alice and I have diabetes",
    "Call me Al",
    "I work as a nurse",
    "I work at night",
    "My birthday is not important",
    "I speak French",
    "I have two cats",
  ])("nothing safe: %s", (sentence) => {
    expect(ownFactKey(sentence)).toBeNull();
  });
});
