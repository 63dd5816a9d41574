import { characterClass, HANGUL, UNSPACED } from "./character-class.ts";

/**
 * How much there is to read, in units of about four Latin letters. Other than tokens, it does not depend on how a
 * vocabulary was built: a sentence is about as long in every language.
 */
export function readingLength(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const name = characterClass(text.charCodeAt(i));
    quarters += name === UNSPACED || name === HANGUL ? 2.2 : 1;
  }
  return quarters / 4;
}
