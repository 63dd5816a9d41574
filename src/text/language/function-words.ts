/** Function words of questions, which do not distinguish texts. English only; other languages rely on word frequency. */

const FUNCTION_WORDS = new Set(
  `a an the and or but if then else so than as at by for from in into of off on onto out over to up with without about
  after before between during through under again i me my mine myself we us our ours you your yours he him his she her
  hers it its they them their theirs this that these those here there am is are was were be been being do does did
  doing done have has had having can could will would shall should may might must what when where which who whom whose
  why how not no nor any some such each other own same too very just also only more most much many s t d m ll re ve don
  didn doesn isn wasn please tell`.split(/\s+/),
);

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** Words with content; all words if there are none. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !isFunctionWord(word));
  return telling.length > 0 ? telling : words;
}
