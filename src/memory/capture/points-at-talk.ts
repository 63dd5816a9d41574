/**
 * Whether a sentence refers to the current conversation: "the second version", "the function you wrote", "this approach".
 * It cannot be understood in a later conversation, so it is not a lasting preference. Only the first
 * clause counts, since reasons after it refer to many things. Names are capitalised, so
 * "of Firefox" is not such a reference.
 */
const THING =
  "(?:one|version|option|approach|variant|solution|answer|reply|response|draft|suggestion|proposal|idea|wording|phrasing|design|implementation|alternative|choice|attempt|example|snippet|function|code|paragraph|summary|title|name|plan|layout|format|output|result|list|table|diagram|query|script|test|patch|fix|change)s?";
const WHICH =
  "(?:first|second|third|fourth|fifth|last|latest|other|latter|former|previous|next|original|earlier|above|following)";
const DID =
  "(?:wrote|written|gave|given|made|suggested|proposed|showed|shown|sent|posted|did|done|described|generated|produced|mentioned|listed|offered|drafted|came up with|come up with|used|said)";
const ELSEWHERE = "(?! (?:of|by|from) (?:the )?\\p{Lu})";

const ENGLISH = [
  `the ${WHICH} (?:two |three |few )?${THING}${ELSEWHERE}`,
  "the (?:latter|former)",
  `(?:this|that) (?:\\p{Ll}+ )?${THING}`,
  `your (?:${WHICH} |\\p{Ll}+ )?${THING}`,
  `you(?:'ve| have|'d| had)? (?:just |already |originally |first )?${DID}`,
  `(?:the|your) ${THING} (?:above|below|before|from before)`,
  "(?:option|version|variant|approach|solution|alternative|answer|draft) (?:\\d{1,2}|[A-F])(?!\\.?\\d)",
];

const GERMAN = [
  "(?:die|der|das|den|dem) (?:erste|zweite|dritte|vierte|letzte|andere|vorige|obige|ursprüngliche)n? (?:Version|Variante|Option|Lösung|Antwort|Vorschlag|Ansatz|Entwurf|Fassung|Idee|Funktion|Möglichkeit|Formulierung|Beispiel)(?! von \\p{Lu})",
  "(?:diese|dieser|dieses|diesen|deine|deinen|dein|deiner) (?:\\p{Ll}+ )?(?:Version|Variante|Option|Lösung|Antwort|Vorschlag|Ansatz|Entwurf|Fassung|Idee|Funktion|Möglichkeit|Formulierung)",
  "du (?:\\p{Ll}+ )?(?:geschrieben|vorgeschlagen|gemacht|gezeigt|gegeben|genannt) ha(?:st|ttest)",
];

const ROMANCE = [
  "(?:la|le|l')\\s?(?:première|premier|deuxième|seconde?|troisième|dernière|dernier|autre) (?:version|option|solution|réponse|variante|proposition|approche|idée|fonction)(?! d[eu] \\p{Lu})",
  "(?:cette|ta|votre) (?:\\p{Ll}+ )?(?:version|option|solution|réponse|variante|proposition|approche|idée|fonction)",
  "(?:que tu as|que vous avez) (?:écrit|proposé|donné|fait|montré|suggéré)",
  "(?:la|el) (?:primera?|segund[ao]|tercera?|últim[ao]|otr[ao]) (?:versión|opción|solución|respuesta|variante|propuesta|idea|función|enfoque)(?! de \\p{Lu})",
  "(?:esta|tu) (?:\\p{Ll}+ )?(?:versión|opción|solución|respuesta|variante|propuesta|idea|función)|(?:este|tu) enfoque|que (?:escribiste|propusiste|sugeriste|hiciste|diste)",
  "(?:a|o) (?:primeir[ao]|segund[ao]|terceir[ao]|últim[ao]|outr[ao]) (?:versão|opção|solução|resposta|variante|proposta|ideia|função|abordagem)(?! d[eo] \\p{Lu})",
  "(?:esta|essa|sua|tua) (?:versão|opção|solução|resposta|variante|proposta|ideia|função|abordagem)|que você (?:escreveu|propôs|sugeriu|fez|deu)",
  "(?:la|l')\\s?(?:prima|seconda|terza|ultima|altra) (?:versione|opzione|soluzione|risposta|variante|proposta|idea|funzione)(?! di \\p{Lu})",
  "(?:questa|la tua) (?:versione|opzione|soluzione|risposta|variante|proposta|idea|funzione)|che hai (?:scritto|proposto|suggerito|fatto|dato)",
];

const RUSSIAN = [
  "(?:перв|втор|трет|последн|друг|предыдущ)\\p{L}+ (?:верси|вариант|решени|ответ|подход|иде|функци|предложени)\\p{L}*",
  "(?:эт|тво|ваш)\\p{L}* (?:верси|вариант|решени|ответ|подход|иде|функци|предложени)\\p{L}*",
  "котор\\p{L}+ (?:ты|вы) (?:написал|предложил|сделал|дал|показал)\\p{L}*",
];

const WITHOUT_SPACES =
  /第[一二三四五1-5](?:个|個|种|種|版|つの|の)|(?:另|后|前)(?:一个|一個|一种|者)|(?:你|您)(?:刚才|剛才|上面)?(?:写|寫|给|給|提(?:出|到)|建议|建議|做)的|[一二三]つ目の|[1-5]番目の|(?:あなた|君)が(?:書いた|提案した|作った)|(?:첫|두|세) ?번째 (?:버전|옵션|방법|안|답)|(?:당신|네|너)(?:이|가)? (?:쓴|작성한|제안한|만든)/u;

const POINTS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...ENGLISH, ...GERMAN, ...ROMANCE, ...RUSSIAN].join("|")})(?![\\p{L}\\p{N}])`,
  "u",
);

/** Where the next clause begins. A comma before a relative pronoun does not count. */
const TURN =
  /,(?! (?:die|der|das|den|dem|que|che|котор\p{L}+) )|[;:，、；—–]|(?<!\p{L})(?:and|but|because|since|so|und|aber|weil|et|mais|y|pero|porque|e|и|но)(?!\p{L})/u;

export function pointsAtTalk(sentence: string): boolean {
  const [first = ""] = sentence.split(TURN, 1);
  return POINTS.test(first) || WITHOUT_SPACES.test(first);
}
