/** Memories of a made-up life, the same in every run, with vectors in clusters like those of real texts. */

const DIMENSIONS = 384;
const TOPICS = 500;
const VOCABULARY = 20_000;

/** A small generator of chance that everybody can repeat. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface MadeMemory {
  readonly text: string;
  readonly content: string;
  readonly vector: Float32Array;
}

const centres = Array.from({ length: TOPICS }, (_, topic) => direction(chance(topic + 1)));

/** Few words are common and most are rare, as in any language. */
function wordBy(random: () => number): string {
  const rank = Math.floor(VOCABULARY ** random()) - 1;
  return `w${rank.toString(36)}`;
}

export function madeMemory(number: number): MadeMemory {
  const random = chance(number * 7_919 + 13);
  const words = (count: number) => Array.from({ length: count }, () => wordBy(random)).join(" ");
  return { text: words(12), content: words(28), vector: vectorOf(number, random) };
}

/** A question: some words of one memory and some of none, and a vector near it. */
export function madeQuestion(
  memories: number,
  seed: number,
): { readonly text: string; readonly vector: Float32Array } {
  const random = chance(seed * 104_729 + 7);
  const about = madeMemory(Math.floor(random() * memories));
  const own = about.text.split(" ").slice(0, 4);
  const others = Array.from({ length: 3 }, () => wordBy(random));
  return { text: [...own, ...others].join(" "), vector: near(about.vector, random) };
}

function vectorOf(number: number, random: () => number): Float32Array {
  const centre = centres[number % TOPICS] ?? direction(random);
  return near(centre, random);
}

function near(centre: Float32Array, random: () => number): Float32Array {
  return unit(centre.map((value) => value + 0.6 * normal(random) * DIMENSIONS ** -0.5));
}

function direction(random: () => number): Float32Array {
  return unit(Float32Array.from({ length: DIMENSIONS }, () => normal(random)));
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
