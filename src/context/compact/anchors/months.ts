/** English and German (capitalised), French and Spanish names of the months, in order. */
const MONTHS = [
  "January|Januar|Jan|janvier|enero",
  "February|Februar|Feb|février|febrero",
  "March|März|Mar|marzo|mars",
  "April|Apr|avril|abril",
  "May|Mai|mayo|mai",
  "June|Juni|Jun|junio|juin",
  "July|Juli|Jul|juillet|julio",
  "August|Aug|agosto|août",
  "September|Sept|Sep|septembre|septiembre",
  "October|Oktober|Oct|Okt|octobre|octubre",
  "November|Nov|novembre|noviembre",
  "December|Dezember|Dec|Dez|décembre|diciembre",
];

const NUMBERS = new Map(
  MONTHS.flatMap((names, index) => names.split("|").map((name) => [name, `${index + 1}`] as const)),
);

/** An alternation for regular expressions. */
export const MONTH_NAMES = MONTHS.join("|");

export const FIRST_WORD_OF_MONTH: ReadonlySet<string> = new Set(NUMBERS.keys());

/** `3` for `March`; empty for what is no month. */
export function monthNumber(name: string): string {
  return NUMBERS.get(name) ?? "";
}
