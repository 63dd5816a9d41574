/** Converts texts of messages and summaries to turns of a dialogue, with the strength of each question term. */
import {
  passagesOf,
  type StemmedPassages,
  type StemmedTexts,
  wordsIn,
} from "../../../search/calibrated/stemmed-texts.ts";
import { LONGEST_MEAN, type Strengths, strengthsFor } from "../../../search/calibrated/term-strengths.ts";
import type { Turn } from "../../../search/calibrated/window-strengths.ts";
import { WordMatcher } from "../matches.ts";
import { hasOnlyWords, namesIn, type TellingTerms } from "./question-terms.ts";

/** Characters. Of longer texts only the surroundings of matches are read. */
const LONGEST_TEXT = 16_000;
const AROUND_MATCH = 500;
const MOST_MATCHES = 64;

export interface AskedTerms extends TellingTerms {
  /** Mean number of words of a document. */
  readonly meanWords: number;
}

export class TurnTexts {
  readonly #question: AskedTerms;
  readonly #stems: StemmedTexts;
  readonly #matcher: WordMatcher;
  readonly #strengthsOf: (passages: StemmedPassages) => Strengths;

  constructor(question: AskedTerms, stems: StemmedTexts) {
    this.#question = question;
    this.#stems = stems;
    this.#matcher = new WordMatcher(question.asked);
    this.#strengthsOf = strengthsFor(question.terms, Math.min(LONGEST_MEAN, question.meanWords));
  }

  of(name: string, text: string): Pick<Turn, "strengths" | "length"> {
    const passages = this.#passagesOf(name, text);
    return { strengths: this.#strengthsOf(passages), length: wordsIn(passages) };
  }

  #passagesOf(name: string, text: string): StemmedPassages {
    const { asked } = this.#question;
    const isLong = text.length > LONGEST_TEXT;
    if (!isLong && hasOnlyWords(asked)) return this.#stems.of(name, () => text);
    const passages = isLong ? this.#aroundMatches(text) : passagesOf(text);
    return passages.map((passage) => namesIn(passage, asked));
  }

  #aroundMatches(long: string): readonly string[] {
    const { text, spans } = this.#matcher.matchesIn(long);
    const passages: string[] = [];
    let behind = 0;
    for (const { start } of spans) {
      if (start < behind) continue;
      behind = start + AROUND_MATCH;
      passages.push(text.slice(Math.max(0, start - AROUND_MATCH), behind));
      if (passages.length === MOST_MATCHES) break;
    }
    return passages;
  }
}
