/** Names of countries and continents in the languages that capture by rules knows, as the runtime has them. */
const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** The world, continents and their parts, as the United Nations number them. */
const AREAS = [
  "001",
  "002",
  "003",
  "005",
  "009",
  "013",
  "019",
  "021",
  "142",
  "145",
  "150",
  "151",
  "154",
  "155",
  "419",
];
/** Countries that are a city are a home like any other. */
const CITIES = ["SG", "MC", "VA"];
/** What people call them otherwise. */
const OTHERWISE =
  "usa us u.s. u.s.a. uk u.k. america england scotland wales holland amerika angleterre inglaterra inghilterra";

let known: ReadonlySet<string> | undefined;

export function isRegion(name: string): boolean {
  known ??= regionNames();
  const plain = name.toLowerCase();
  return known.has(plain) || known.has(plain.replace(/\.$/, ""));
}

function regionNames(): ReadonlySet<string> {
  const countries = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const codes = [...AREAS, ...countries.filter((code) => !CITIES.includes(code))];
  const names = new Set(OTHERWISE.split(" "));
  for (const language of LANGUAGES) {
    const told = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) names.add((told.of(code) ?? "").toLowerCase());
  }
  return names;
}
