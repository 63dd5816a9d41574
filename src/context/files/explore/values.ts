/**
 * Facts about all values of one column, key or attribute, in bounded memory: the number of each type, the range of
 * numbers and dates, and the distinct values while they are few.
 */
import { namesCredential } from "../../../text/credentials/safe-to-show.ts";
import { detach } from "./detach.ts";
import { type ValueType, valueType } from "./value-type.ts";

/** More distinct values than this are not an enumeration. */
const MOST_DISTINCT = 60;
const LONGEST_KEPT = 48;
const MOST_SAMPLES = 2;
const LONGEST_SAMPLE = 120;
/** Values that name a credential are identifiers and short phrases. */
const LONGEST_NAME = 64;

export class Values {
  readonly types: Record<ValueType, number> = {
    empty: 0,
    integer: 0,
    number: 0,
    date: 0,
    boolean: 0,
    text: 0,
  };
  count = 0;
  smallest = Number.POSITIVE_INFINITY;
  largest = Number.NEGATIVE_INFINITY;
  earliest = "";
  latest = "";
  longest = 0;
  /** A value was the name of a credential, so a sibling value may be one. */
  hasCredentialName = false;
  /** Distinct values with their counts; only the first ones if there were too many. */
  readonly distinct = new Map<string, number>();
  isDistinctFull = false;
  /** The first longer texts that are complete. */
  readonly samples: string[] = [];
  #estimate: DistinctEstimate | null = null;

  /** A value written as text, of which only the beginning may be given. */
  add(value: string, length = value.length): void {
    this.addTyped(valueType(value), value, length);
  }

  addTyped(type: ValueType, value: string, length = value.length): void {
    this.count++;
    this.types[type]++;
    if (type === "empty") return;
    if (length > this.longest) this.longest = length;
    if (type === "integer" || type === "number") this.#addNumber(Number(value));
    else if (type === "date") this.#addDate(value);
    else if (type === "text" && !this.hasCredentialName && length <= LONGEST_NAME)
      this.hasCredentialName = namesCredential(value);
    if (length > LONGEST_KEPT && this.samples.length < MOST_SAMPLES) this.#addSample(value, length);
    if (this.#estimate !== null) this.#estimate.add(value);
    else this.#addDistinct(value, length);
  }

  #addSample(value: string, length: number): void {
    if (length === value.length && length <= LONGEST_SAMPLE) this.samples.push(detach(value));
  }

  /** Number of distinct values; an estimate if there are many. */
  get distinctCount(): number {
    return this.#estimate?.value ?? this.distinct.size;
  }

  merge(other: Values): void {
    this.count += other.count;
    for (const type of Object.keys(this.types) as ValueType[]) this.types[type] += other.types[type];
    this.smallest = Math.min(this.smallest, other.smallest);
    this.largest = Math.max(this.largest, other.largest);
    for (const date of [other.earliest, other.latest]) if (date !== "") this.#addDate(date);
    this.longest = Math.max(this.longest, other.longest);
    this.hasCredentialName ||= other.hasCredentialName;
    this.samples.push(...other.samples.slice(0, MOST_SAMPLES - this.samples.length));
    for (const [value, count] of other.distinct) {
      if (this.#estimate !== null) this.#estimate.add(value);
      else if (this.distinct.has(value)) this.distinct.set(value, (this.distinct.get(value) ?? 0) + count);
      else if (this.distinct.size < MOST_DISTINCT) this.distinct.set(value, count);
      else this.#fill(value);
    }
    if (other.#estimate === null) return;
    if (this.#estimate === null) this.#fill("");
    this.#estimate?.merge(other.#estimate);
  }

  #addNumber(value: number): void {
    if (value < this.smallest) this.smallest = value;
    if (value > this.largest) this.largest = value;
  }

  /** Dates of one form sort as text if the year comes first. */
  #addDate(value: string): void {
    if (this.earliest === "" || value < this.earliest) this.earliest = detach(value);
    if (value > this.latest) this.latest = detach(value);
  }

  #addDistinct(value: string, length: number): void {
    const known = this.distinct.get(value);
    if (known !== undefined) this.distinct.set(value, known + 1);
    else if (this.distinct.size >= MOST_DISTINCT || length > LONGEST_KEPT) this.#fill(value);
    else this.distinct.set(detach(value), 1);
  }

  /** From here on, distinct values are estimated. */
  #fill(value: string): void {
    this.isDistinctFull = true;
    this.#estimate = new DistinctEstimate();
    for (const known of this.distinct.keys()) this.#estimate.add(known);
    if (value !== "") this.#estimate.add(value);
  }
}

/**
 * Estimates the number of distinct values in one kilobyte: each value's hash selects a register, which keeps the
 * longest run of zeros seen (HyperLogLog, Flajolet et al. 2007). The error is about 3 %.
 */
const REGISTERS = 1_024;
const REGISTER_BITS = 10;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

class DistinctEstimate {
  readonly #registers = new Uint8Array(REGISTERS);

  add(value: string): void {
    const hash = hashOf(value);
    const register = hash >>> (32 - REGISTER_BITS);
    const zeros = Math.clz32((hash << REGISTER_BITS) | (1 << (REGISTER_BITS - 1))) + 1;
    if (zeros > (this.#registers[register] ?? 0)) this.#registers[register] = zeros;
  }

  merge(other: DistinctEstimate): void {
    other.#registers.forEach((zeros, register) => {
      if (zeros > (this.#registers[register] ?? 0)) this.#registers[register] = zeros;
    });
  }

  /** Two significant digits: more would suggest an exact number. */
  get value(): number {
    let sum = 0;
    let empty = 0;
    for (const zeros of this.#registers) {
      sum += 2 ** -zeros;
      if (zeros === 0) empty++;
    }
    const raw = (ALPHA * REGISTERS * REGISTERS) / sum;
    const isSmall = raw <= 2.5 * REGISTERS && empty > 0;
    return Number((isSmall ? REGISTERS * Math.log(REGISTERS / empty) : raw).toPrecision(2));
  }
}

/** FNV-1a over UTF-16 units, with a final mix, because its upper bits alone vary too little. */
function hashOf(value: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
