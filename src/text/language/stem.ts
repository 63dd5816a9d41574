import { stemmer } from "stemmer";

const ENGLISH = /^[a-z]{3,}$/;

/** Removes the endings of English words; other words are unchanged. */
export function stemOf(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}
