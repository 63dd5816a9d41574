/** All languages that rule-based capture supports. The order decides when two of them match the same sentence. */
import type { LanguagePatterns } from "../pattern.ts";
import { CHINESE, JAPANESE, KOREAN } from "./cjk.ts";
import { GERMAN } from "./de.ts";
import { ENGLISH } from "./en.ts";
import { FRENCH, ITALIAN, PORTUGUESE, SPANISH } from "./romance.ts";
import { RUSSIAN } from "./ru.ts";

export const LANGUAGES: readonly LanguagePatterns[] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  PORTUGUESE,
  ITALIAN,
  RUSSIAN,
  CHINESE,
  JAPANESE,
  KOREAN,
];
