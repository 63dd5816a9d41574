/** The time of a log line, in a form that sorts. */

interface FoundTime {
  /** `2017-05-16 00:00:04`, or `06-14 15:16:01` without a year. */
  readonly time: string;
  /** The end of the time within the line. */
  readonly end: number;
}

/** A time is at the beginning of a line, or after the name of a file or host. */
const LOOKED_AT = 120;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";

type Form = readonly [RegExp, (match: RegExpExecArray) => string];
const FORMS: readonly Form[] = [
  [
    /\b((?:19|20)\d\d)[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d\b)?/,
    ([, year, month, day, clock]) => `${year}-${month}-${day} ${clock}`,
  ],
  [
    new RegExp(`\\b(\\d\\d)/${MONTH}/(\\d{4}):(\\d\\d:\\d\\d:\\d\\d)(?: [+-]\\d{4})?`),
    ([, day, month, year, clock]) => `${year}-${monthNumber(month)}-${day} ${clock}`,
  ],
  [
    new RegExp(
      `\\b(?:[A-Z][a-z]{2} )?${MONTH} {1,2}(\\d{1,2}) (\\d\\d:\\d\\d:\\d\\d)(?:\\.\\d+)? (\\d{4})\\b`,
    ),
    ([, month, day = "", clock, year]) => `${year}-${monthNumber(month)}-${day.padStart(2, "0")} ${clock}`,
  ],
  [
    new RegExp(`^(?:<\\d{1,3}>)?${MONTH} {1,2}(\\d{1,2}) (\\d\\d:\\d\\d:\\d\\d)`),
    ([, month, day = "", clock]) => `${monthNumber(month)}-${day.padStart(2, "0")} ${clock}`,
  ],
  [
    /^(\d\d)(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)\b/,
    ([, year, month, day, hour, minute, second]) => `20${year}-${month}-${day} ${hour}:${minute}:${second}`,
  ],
  [
    /^(\d\d)[-/](\d\d)[-/](\d\d) (\d\d:\d\d:\d\d)\b/,
    ([, year, month, day, clock]) => `20${year}-${month}-${day} ${clock}`,
  ],
  [/^(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?\b/, ([, month, day, clock]) => `${month}-${day} ${clock}`],
  [/^\[?(1[0-9]{9})(?:\.\d{1,9}|\d{3})?\b\]?/, ([, seconds]) => fromEpoch(Number(seconds))],
  [/^\[?(\d\d:\d\d:\d\d)(?:[.,]\d+)?\b\]?/, ([, clock]) => clock ?? ""],
];

function monthNumber(name = ""): string {
  return String(MONTHS.indexOf(name) / 3 + 1).padStart(2, "0");
}

function fromEpoch(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** The lines of a log share a format, so the last match is tried first. */
export class TimeFinder {
  #last = 0;

  find(line: string): FoundTime | null {
    const start = line.slice(0, LOOKED_AT);
    const known = this.#try(this.#last, start);
    if (known !== null) return known;
    for (let form = 0; form < FORMS.length; form++) {
      const found = form === this.#last ? null : this.#try(form, start);
      if (found === null) continue;
      this.#last = form;
      return found;
    }
    return null;
  }

  #try(form: number, start: string): FoundTime | null {
    const [pattern, read] = FORMS[form] ?? [];
    const match = pattern?.exec(start);
    if (match == null || read === undefined) return null;
    return { time: read(match), end: match.index + match[0].length };
  }
}
