/**
 * The key of a fact about the speaker of which a person has one at a time: a name, a home, a phone number. A
 * newer sentence then replaces the older one. Only for a sentence that contains nothing but this fact and
 * its value: "I live in Rome and am allergic to nuts" has no key, since the next home would also replace the allergy.
 * Countries have no key either: a person who lives in Rome also lives in Italy.
 */

/** A name: up to four capitalised words. */
const WORD = "\\p{Lu}[\\p{L}\\p{M}'.-]*";
const SMALL = "(?:(?:de|del|da|do|di|la|el|le|les|of|upon|sur|am|an der|van|von) )?";
const NAMED = `(${WORD}(?: ${SMALL}${WORD}){0,3})`;
const NUMBER = "(\\+?\\d[\\d ()./-]{2,30})";
const MAIL = "([^\\s@]+@[^\\s@]+\\.[^\\s@]+)";
/** A day, a zone: a few words without further content. */
const FEW = "((?!not )[\\p{L}\\p{N}:+/.-]+(?: (?!and |but |because )[\\p{L}\\p{N}:+/.-]+){0,4})";
const HAN = "([\\p{sc=Han}]{2,6}?)";
/** Capitalised words that are not towns. */
const NO_PLACE = "(?!(?:Scheidung|Trennung|Armut|Untermiete|Miete|Angst|Frieden)(?!\\p{L}))";
const NO_FIRM =
  "(?!(?:Regen|Nacht|Tag|Licht|Bedarf|Hand|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)(?!\\p{L}))";

const RULES: readonly (readonly [about: string, ...sentences: string[]])[] = [
  [
    "name",
    `(?:My|The user's) (?:real )?name(?: is|'s)(?: now)? ${NAMED}`,
    `(?:Ich heiße|Mein Name ist) (?:jetzt )?${NAMED}`,
    `(?:Je m'appelle|Mon nom est) ${NAMED}`,
    `(?:Yo me llamo|Me llamo|Mi nombre es) ${NAMED}`,
    `(?:Eu me chamo|Me chamo|Chamo-me|O meu nome é|Meu nome é) ${NAMED}`,
    `(?:Io mi chiamo|Mi chiamo|Il mio nome è) ${NAMED}`,
    `Меня зовут ${NAMED}`,
    "我的名字(?:是|叫)([\\p{sc=Han}]{2,4})",
    "(?:私|僕|俺|わたし)の名前は([\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー]{1,10}?)(?:です|だ)",
    "(?:제|내) 이름은 ([\\p{sc=Hang}]{2,5}?)(?:입니다|이에요|예요|이야|야)",
  ],
  [
    "home",
    `I (?:currently |now )?live in ${NAMED}(?: now| these days| at the moment)?`,
    `I(?:'ve| have)? (?:just |recently )?moved to ${NAMED}`,
    `Ich (?:wohne|lebe) (?:jetzt |nun |derzeit |inzwischen |mittlerweile )?in ${NO_PLACE}${NAMED}`,
    `Ich bin (?:jetzt |gerade )?nach ${NAMED} (?:um)?gezogen`,
    `(?:J'habite|Je vis) (?:maintenant |désormais |actuellement )?à ${NAMED}(?: maintenant)?`,
    `J'ai déménagé à ${NAMED}`,
    `(?:Yo )?(?:[Aa]hora )?[Vv]ivo (?:ahora )?en ${NAMED}(?: ahora)?`,
    `(?:Me mudé|Me he mudado) a ${NAMED}`,
    `(?:Eu )?(?:[Aa]gora )?[Mm]oro (?:agora )?em ${NAMED}(?: agora)?`,
    `(?:Io )?(?:[Aa]desso |[Oo]ra )?(?:[Vv]ivo|[Aa]bito) (?:adesso |ora )?a ${NAMED}(?: adesso| ora)?`,
    `Mi sono trasferit[oa] a ${NAMED}`,
    `Я (?:сейчас |теперь )?живу в ${NAMED}`,
    `Я переехал[аи]? в ${NAMED}`,
    `我(?:现在|目前|現在)?(?:住在|居住在)${HAN}`,
    "(?:私|僕|俺|わたし)は(?:今は?|現在は?)?([\\p{sc=Han}\\p{sc=Kana}ー]{1,8}?)に住んで(?:います|いる|ます|る)",
    "(?:저는|나는|난|전) (?:지금 |현재 )?([\\p{sc=Hang}]{2,8}?)에 (?:살아요|삽니다|살고 있어요|살고 있습니다|살아)",
  ],
  [
    "age",
    "I(?:'m| am) (?:now )?(\\d{1,3}) years old(?: now)?",
    "Ich bin (?:jetzt )?(\\d{1,3}) Jahre alt",
    "J'ai (\\d{1,3}) ans",
    "(?:Yo )?[Tt]engo (\\d{1,3}) años",
    "(?:Eu )?[Tt]enho (\\d{1,3}) anos",
    "(?:Io )?[Hh]o (\\d{1,3}) anni",
    "Мне (\\d{1,3}) (?:год|года|лет)",
    "我(?:今年)?(\\d{1,3})\\s?[岁歲](?:了)?",
    "(?:私|僕|俺)は(\\d{1,3})歳(?:です|だ)",
    "(?:저는|나는) (\\d{1,3})\\s?살(?:입니다|이에요|이야)",
  ],
  [
    "employer",
    `I (?:currently |now )?work (?:at|for) ${NO_FIRM}${NAMED}(?: now)?`,
    `My employer is (?:now )?${NAMED}`,
    `Ich arbeite (?:jetzt |nun |derzeit )?(?:bei|für) ${NO_FIRM}${NAMED}`,
    `Mein Arbeitgeber ist (?:jetzt )?${NAMED}`,
    `Je travaille (?:maintenant )?(?:chez|pour) ${NAMED}`,
    `(?:Yo )?[Tt]rabajo para ${NAMED}`,
    `(?:Eu )?[Tt]rabalho para ${NAMED}`,
    `(?:Io )?[Ll]avoro (?:presso|per) ${NAMED}`,
  ],
  ["birthday", `My birthday is (?:on )?${FEW}`, `Mein Geburtstag ist (?:am )?${FEW}`],
  [
    "phone",
    `My phone(?: number)? is (?:now )?${NUMBER}`,
    `Meine Telefonnummer (?:ist|lautet) (?:jetzt )?${NUMBER}`,
  ],
  [
    "mobile",
    `My mobile(?: number)? is (?:now )?${NUMBER}`,
    `Meine Handynummer (?:ist|lautet) (?:jetzt )?${NUMBER}`,
  ],
  [
    "email",
    `My e-?mail(?: address)? is (?:now )?${MAIL}`,
    `Meine E-?Mail(?:-?Adresse)? (?:ist|lautet) (?:jetzt )?${MAIL}`,
  ],
  ["work email", `My work e-?mail(?: address)? is (?:now )?${MAIL}`],
  ["work phone", `My work phone(?: number)? is (?:now )?${NUMBER}`],
  ["time zone", `My time ?zone is (?:now )?${FEW}`],
];

const COMPILED = RULES.map(([about, ...sentences]) => ({
  about,
  sentences: sentences.map((sentence) => new RegExp(`^${sentence}[.!。！]?$`, "u")),
}));

/** `profile:home`; null where no rule fits safely. */
export function ownFactKey(abstract: string): string | null {
  const text = abstract.normalize("NFC").replaceAll("’", "'").trim();
  for (const { about, sentences } of COMPILED) {
    const value = sentences.map((sentence) => sentence.exec(text)?.[1]).find((match) => match !== undefined);
    if (value !== undefined) return about === "home" && isRegion(value) ? null : `profile:${about}`;
  }
  return null;
}

/** Names of countries and continents in the languages of rule-based capture, from the runtime. */
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
/** City states count as homes. */
const CITIES = ["SG", "MC", "VA"];
/** Other names of countries. */
const OTHERWISE =
  "usa us u.s. u.s.a. uk u.k. america england scotland wales holland amerika angleterre inglaterra inghilterra";

let known: ReadonlySet<string> | undefined;

function isRegion(name: string): boolean {
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
