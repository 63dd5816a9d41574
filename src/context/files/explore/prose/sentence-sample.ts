/**
 * A sample of sentences from a text of any length: all of them while there are few, then every second, fourth, eighth …
 * sentence. The same text gives the same sample.
 */
const MOST = 600;

export interface SampledSentence {
  readonly text: string;
  readonly line: number;
  /** Position among all sentences. */
  readonly index: number;
}

export class SentenceSample {
  #sentences: SampledSentence[] = [];
  #stride = 1;
  total = 0;

  get sentences(): readonly SampledSentence[] {
    return this.#sentences;
  }

  add(text: string, line: number): void {
    const index = this.total++;
    if (index % this.#stride !== 0) return;
    this.#sentences.push({ text, line, index });
    if (this.#sentences.length <= MOST) return;
    this.#stride *= 2;
    this.#sentences = this.#sentences.filter((sentence) => sentence.index % this.#stride === 0);
  }
}
