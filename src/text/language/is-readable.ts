import { characterClass, SEPARATOR } from "./character-class.ts";

/** The number of characters that are checked for prose. */
const LOOKED_AT = 200;

/** Prose consists mainly of letters; rows of numbers, rulers and table frames do not. */
export function isReadable(line: string): boolean {
  let letters = 0;
  let digits = 0;
  let signs = 0;
  const end = Math.min(line.length, LOOKED_AT);
  for (let i = 0; i < end; i++) {
    const unit = line.charCodeAt(i);
    if (unit >= 0x30 && unit <= 0x39) digits++;
    else if (characterClass(unit) !== SEPARATOR) letters++;
    else if (unit !== 0x20) signs++;
  }
  return letters >= 2 && letters >= signs && letters * 3 >= digits;
}
