import { stemmer } from "stemmer";

const ENGLISH = /^[a-z]{3,}$/;

/** Endings of English words cut off; anything else as it is. */
export function stemOf(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}
