const RARE_SPACES = [
  0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
  0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
];

/** Counts words separated by white space, in a text that arrives in pieces of any length. */
export class WordCounter {
  #words = 0;
  #isInside = false;

  get words(): number {
    return this.#words;
  }

  write(text: string): void {
    let isInside = this.#isInside;
    for (let i = 0; i < text.length; i++) {
      const isWord = !isSpace(text.charCodeAt(i));
      if (isWord && !isInside) this.#words++;
      isInside = isWord;
    }
    this.#isInside = isInside;
  }
}

/** The same characters as `\s`, without a regular expression for each. */
function isSpace(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit >= 0xa0 && RARE_SPACES.includes(unit);
}
