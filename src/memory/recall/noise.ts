/**
 * Memories without information: greetings, "I don't know", questions about the memory itself. A rule must
 * match the whole text, so that a fact that begins like a greeting is not noise. Noise is ranked lower and
 * never refused or removed.
 */

type NoiseKind = "empty" | "greeting" | "denial" | "about-memory" | "diagnostic";

interface Noise {
  /** The factor for the score: 1 for text that is not noise. */
  readonly factor: number;
  readonly kind: NoiseKind | null;
  readonly reason: string;
}

const FACTORS: Readonly<Record<NoiseKind, number>> = {
  empty: 0.3,
  greeting: 0.5,
  denial: 0.5,
  "about-memory": 0.6,
  diagnostic: 0.5,
};

const REASONS: Readonly<Record<NoiseKind, string>> = {
  empty: "It has no letters or digits.",
  greeting: "It is only a greeting.",
  denial: "It only says that nothing is known.",
  "about-memory": "It only asks or complains about remembering.",
  diagnostic: "It is a program's note about itself.",
};

const GREETINGS = [
  "hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|night|day)|greetings",
  "hallo|servus|moin|guten (?:morgen|tag|abend)|gute nacht",
  "bonjour|bonsoir|salut|hola|buenos días|buenas (?:tardes|noches)|olá|oi|bom dia|boa (?:tarde|noite)",
  "ciao|buongiorno|buonasera|привет|здравствуйте|добрый (?:день|вечер)|доброе утро",
  "你好|您好|早上好|晚上好|こんにちは|おはよう(?:ございます)?|こんばんは|안녕(?:하세요)?",
].join("|");
/** The addressee of a greeting: at most two words that do not turn it into a statement. */
const ADDRESSEE = String.raw`(?:[\s,]+(?:there|all|everyone|everybody|team|again|zusammen|à tous|a todos|a tutti))?`;

const WHOLE: readonly (readonly [NoiseKind, RegExp])[] = [
  ["greeting", whole(`(?:${GREETINGS})${ADDRESSEE}`)],
  [
    "denial",
    whole(
      `(?:i(?:'m| am) (?:sorry|afraid),? (?:but )?)?i (?:do not|don't|can't|cannot) (?:have|find|recall|remember|see)(?: (?:any|anything|that|this|relevant|specific|prior|previous|stored))*(?: (?:information|memor(?:y|ies)|records?|data|context|details))?(?: (?:about|on|of|for|regarding) (?:that|this|it|you))?`,
    ),
  ],
  [
    "denial",
    whole(`no (?:relevant|matching|related|stored) (?:memories|memory|results|records)(?: (?:were )?found)?`),
  ],
  ["denial", whole(`(?:我不(?:记得|知道)|没有(?:找到)?相关(?:的)?(?:记忆|信息))`)],
  [
    "about-memory",
    /^(?:do you (?:still )?(?:remember|recall|know)|did i (?:ever )?(?:tell|mention)|have i (?:told|mentioned)|can you (?:remember|recall))\b[^.!?\n]*\?$/i,
  ],
  [
    "about-memory",
    /^(?:erinnerst du dich|weißt du noch|te souviens-tu|recuerdas|você lembra|ti ricordi|ты помнишь)(?!\p{L})[^.!?\n]*\?$/iu,
  ],
  ["about-memory", /^(?:你还?记得|覚えて(?:い)?ます?か|기억(?:나|하))[^。！？\n]*[?？吗嗎]?$/u],
  [
    "about-memory",
    whole(
      `(?:why (?:do|can't) you )?(?:you )?(?:never|always|keep) (?:remember|forget|forgetting)(?: (?:anything|everything|things|what i (?:say|said|tell you)))?`,
    ),
  ],
  [
    "diagnostic",
    whole("heartbeat(?:_?ok)?|fresh session(?: started)?|new session(?: started)?|no explicit solution"),
  ],
  ["diagnostic", /^(?:query|search)\s*(?:->|=>|→)\s*(?:none|nothing|\[\])$/i],
];

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})[\\s.!?…,~。！？～]*$`, "iu");
}

export function noiseOf(text: string): Noise {
  const plain = text.normalize("NFC").replaceAll("’", "'").trim();
  const kind = /[\p{L}\p{N}]/u.test(plain) ? WHOLE.find(([, rule]) => rule.test(plain))?.[0] : "empty";
  if (kind === undefined) return { factor: 1, kind: null, reason: "It contains information." };
  return { factor: FACTORS[kind], kind, reason: REASONS[kind] };
}
