/**
 * What a person no longer does or is. It is stored as a fact like any other and
 * has no fact key, since "I no longer live in Rome" does not contradict living in Oslo. Only habits and lasting
 * states are listed: "I no longer see the error" is about the work.
 */
import { type StatementPattern, states } from "../pattern.ts";

const END = "(?!\\p{L})";
/** Personal things are named; things of the current work have a demonstrative. */
const NAMED = "(?!(?:the|this|that|these|those|it|them|your|any|anything|a|an|here|there)\\b)\\S";
const ANY_MORE = ".{0,80}\\bany ?(?:more|longer)\\b";
const DO = "eat|drink|smoke|vape|wear|drive|cook with|play|take|use|own|buy|watch|read|listen to|follow";
const DOING =
  "eating|drinking|smoking|vaping|wearing|driving|playing|taking|using|buying|watching|listening to|following";
const GIVEN_UP =
  "smoking|drinking|vaping|coffee|caffeine|tea|alcohol|wine|beer|meat|fish|dairy|milk|sugar|gluten|chocolate|tobacco|cigarettes|nicotine|gambling|facebook|instagram|twitter|tiktok";
const STATES =
  "vegan|vegetarian|pescatarian|married|engaged|single|pregnant|retired|unemployed|self-employed|employed|allergic|diabetic|religious";

const PLACES = "(?:in|at|for|as|with|near) (?!(?:this|that|it|the moment|night|noon|\\d+)\\b)\\S";

export const ENDED_ENGLISH: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    `i no longer (?:live|work|study) ${PLACES}|i (?:don't|do not) (?:live|work|study) ${PLACES}${ANY_MORE}|i(?:'m| am|m) no longer (?:(?:${STATES})\\b|an? \\p{L}|(?:living|working|studying) ${PLACES})|i(?:'m| am|m) not (?:(?:${STATES})\\b|an? \\p{L}|(?:living|working|studying) ${PLACES})${ANY_MORE}|i(?:'ve| have)? (?:just |recently )?quit my (?:\\p{L}+ )?job\\b`,
  ),
  states(
    "ended",
    "preferences",
    `i no longer (?:${DO}) ${NAMED}|i no longer (?:smoke|vape|drink|drive)[.!]?$|i no longer (?:like|love|enjoy|prefer) ${NAMED}|i (?:don't|do not) (?:${DO}) ${NAMED}${ANY_MORE}|i (?:don't|do not) (?:smoke|vape|drink|drive) any ?(?:more|longer)\\b|i(?:'ve| have)? (?:just |recently |finally |completely )?(?:(?:stopped|quit|given up|gave up) (?:(?:smoking|vaping|drinking)\\b|(?:${DOING}) ${NAMED})|(?:quit|given up|gave up) (?:${GIVEN_UP})\\b)`,
  ),
];

const GERMAN_STATES =
  "vegetarier|veganer|raucher|student|vegan|vegetarisch|verheiratet|verlobt|schwanger|berufstätig|selbstständig";

export const ENDED_GERMAN: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    `ich (?:wohne|lebe|arbeite|studiere) nicht mehr (?:in|bei|als|für|auf|an) (?!(?:dem|der|diese[mrn]?)${END})\\S|ich bin (?:nicht mehr|keine? (?=\\p{L}+ mehr${END})) ?(?:${GERMAN_STATES})\\p{L}*`,
  ),
  states(
    "ended",
    "preferences",
    `ich rauche nicht mehr${END}|ich (?:esse|trinke|benutze|nutze|verwende|trage|spiele|lese|mag) (?!(?:das|dies|diese[rsnm]?|es|den|die|der|heute|jetzt|gerade)${END})\\S+ nicht mehr${END}|ich (?:rauche|verwende|trage|spiele) keine?n? \\S.{0,40} mehr${END}|ich habe (?:mit dem |das )?(?:rauchen|trinken|alkohol|kaffee)\\p{L}* (?:aufgehört|aufgegeben)|ich habe aufgehört,? (?:\\S+ ){0,3}zu (?:rauchen|trinken|essen|benutzen|nutzen|verwenden|spielen)${END}`,
  ),
];

const FRENCH_NAMED = "(?!(?:ça|cela|ceci|ce|cette?|ces|le|la|les|ta|ton|tes)(?!\\p{L}))\\S";

export const ENDED_FRENCH: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "je (?:n'habite|ne vis) plus (?:à|en|au|aux|dans|chez) \\S|je ne travaille plus (?:chez|pour|comme|en tant que) \\S|je ne suis plus (?:végane?|végétari|marié|fiancé|étudiant|célibataire|enceinte|fumeu)\\p{L}*",
  ),
  states(
    "ended",
    "preferences",
    `je ne fume plus${END}|je ne bois plus d'\\S|je n'(?:aime|utilise) plus ${FRENCH_NAMED}|j'ai (?:arrêté|cessé) (?:de fumer|de boire|le café|le tabac|l'alcool|la viande|le sucre|la cigarette)${END}|j'ai (?:arrêté|cessé) (?:de (?:manger|boire|prendre)|d'utiliser) ${FRENCH_NAMED}`,
  ),
];

const SPANISH_NAMED = "(?!(?:esto|eso|est[ea]|es[ea]|el|la|los|las|tu|tus)(?!\\p{L}))\\S";

export const ENDED_SPANISH: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "(?:yo )?ya no (?:vivo en|trabajo (?:para|como|de)) \\S|(?:yo )?ya no (?:soy|estoy) (?:vegan|vegetarian|casad|solter|estudiante|fumador|embarazada)\\p{L}*",
  ),
  states(
    "ended",
    "preferences",
    `(?:yo )?ya no fumo${END}|(?:yo )?ya no (?:como|bebo|uso|tomo|utilizo) ${SPANISH_NAMED}|ya no me gustan? (?!(?:esto|eso|est[ea]|tu|tus)${END})\\S|(?:yo )?(?:he dejado|dejé) de (?:(?:fumar|beber)${END}|(?:comer|tomar|usar|utilizar) ${SPANISH_NAMED})|(?:yo )?(?:he dejado|dejé) (?:el café|el alcohol|el tabaco|la carne|el azúcar)${END}`,
  ),
];

const PORTUGUESE_NAMED = "(?!(?:isto|isso|est[ea]|ess[ea]|o|a|os|as|seu|sua)(?!\\p{L}))\\S";

export const ENDED_PORTUGUESE: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "(?:eu )?(?:já não (?:moro|vivo)|não (?:moro|vivo) mais) (?:em|no|na) \\S|(?:eu )?(?:já não trabalho|não trabalho mais) (?:para|como) \\S|(?:eu )?(?:já não sou|não sou mais) (?:vegan|vegetarian|casad|solteir|estudante|fumante)\\p{L}*",
  ),
  states(
    "ended",
    "preferences",
    `(?:eu )?já não fumo${END}|(?:eu )?já não (?:como|bebo|uso|tomo) ${PORTUGUESE_NAMED}|(?:eu )?(?:já não gosto|não gosto mais) d(?!(?:isso|isto|ess[ea]|est[ea])${END})\\S|(?:eu )?(?:parei|deixei) de (?:(?:fumar|beber)${END}|(?:comer|tomar|usar) ${PORTUGUESE_NAMED})`,
  ),
];

export const ENDED_ITALIAN: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "(?:io )?non (?:vivo|abito) più (?:a|in) \\S|(?:io )?non lavoro più (?:per|presso|come) \\S|(?:io )?non sono più (?:vegan|vegetarian|sposat|fidanzat|student|fumat|incinta)\\p{L}*",
  ),
  states(
    "ended",
    "preferences",
    `(?:io )?ho smesso di (?:(?:fumare|bere)${END}|(?:mangiare|usare|prendere) (?!(?:questo|questa|quello|il|la|lo|i|gli|le)${END})\\S)`,
  ),
];

export const ENDED_RUSSIAN: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    `я (?:больше|уже) не (?:живу (?:в|на)|работаю (?:в|на)) (?!(?:эт\\p{L}+|т[оа]м)${END})\\S|я (?:больше|уже) не (?:веган|вегетариан|женат|замужем|студент|беременна)\\p{L}*`,
  ),
  states(
    "ended",
    "preferences",
    `я (?:больше |уже )не (?:курю|пью)${END}|я (?:больше|уже) не (?:ем|пользуюсь|использую|ношу|люблю) (?!(?:это|этот|эту|этим|этой|тебя|твой)${END})\\S|я (?:бросила?|перестала?) (?:(?:курить|пить)${END}|(?:есть|пользоваться|использовать) (?!(?:это|этот|эту|этим|этой)${END})\\S)`,
  ),
];

export const ENDED_CHINESE: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "我(?:现在|現在|已经|已經)?不(?:再)?住在\\S{1,12}了|我(?:现在|現在|已经|已經)?不再(?:住在|居住在)\\S|我(?:现在|現在|已经|已經)?不(?:再)?在\\S{1,20}(?:工作|上班)了",
  ),
  states(
    "ended",
    "preferences",
    "我(?:现在|現在|已经|已經)?不再(?:吃|喝|用|使用|抽|喜欢|喜歡)(?!你|这|那|這|它)\\S|我(?:已经|已經|刚|剛)?戒(?:掉)?了?(?:烟|煙|酒|咖啡|糖|肉)",
  ),
];

export const ENDED_JAPANESE: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "(?:私は|僕は|俺は)?もう\\S{1,15}に(?:は)?住んで(?:いません|いない|ません|ない)|(?:私は|僕は|俺は)?もう\\S{1,20}で(?:は)?働いて(?:いません|いない)",
  ),
  states(
    "ended",
    "preferences",
    "(?:私は|僕は|俺は)?もう(?!これ|それ|あれ|この|その)\\S{1,15}[はを](?:使って|食べて|飲んで|吸って)(?:いません|いない|ません|ない)|(?:私は|僕は|俺は)?(?:タバコ|たばこ|煙草|お?酒|コーヒー|お?肉|砂糖)(?:を吸うの|を飲むの|を食べるの)?を?(?:やめ|止め)(?:ました|た)",
  ),
];

export const ENDED_KOREAN: readonly StatementPattern[] = [
  states(
    "ended",
    "profile",
    "(?:저는|나는|난|전) (?:더 이상|이제) \\S{1,15}에 (?:안 살|살지 않)|(?:저는|나는|난|전) (?:더 이상|이제) \\S{1,20}에서 (?:일하지 않|안 일)",
  ),
  states(
    "ended",
    "preferences",
    "(?:저는|나는|난|전) (?:이제 |더 이상 )?(?:담배|술|커피|고기|설탕)[을를]? 끊었|(?:저는|나는|난|전) (?:더 이상|이제) (?!이거|그거|이것|그것)\\S{1,15}[을를]? (?:안 (?:먹|마시|쓰|피우|써)|(?:먹|마시|쓰|피우)지 않)",
  ),
];
