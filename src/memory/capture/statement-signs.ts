/**
 * How much a clause looks worth remembering: a decision, a correction, a rule, a wish, or a fact about the
 * work. A linear score over general features of English, none of which decides alone. `bench/fit-capture.ts` fitted the
 * weights to our own sentences and to labelled sessions; they are rounded to quarters. Sentences in other languages are
 * not scored.
 */

const END = "(?![\\p{L}\\p{N}'])";
const words = (list: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})${END}`, "iu");
const first = (list: string) => new RegExp(`^(?:${list})${END}`, "iu");

/** Verbs that request one task. */
const TASKS =
  "add|adjust|analy[sz]e|apply|build|bump|change|check|clean|commit|compare|consider|continue|convert|copy|create|debug|delete|deploy|discuss|do|download|draft|edit|ensure|explain|figure|find|finish|fix|generate|get|give|go|help|implement|improve|increase|install|investigate|look|make|mention|merge|move|open|plan|port|post|publish|push|put|read|refactor|refer|reconsider|release|remove|rename|rerun|research|reset|restart|resume|revert|review|rewrite|run|save|see|send|set|show|sleep|start|submit|summari[sz]e|take|talk|tell|test|think|translate|try|tweak|undo|update|upgrade|use|verify|wait|write";
/** The same verbs in an announcement: "let's look" is work, "let's use" is a choice. */
const LOOKING = `(?!(?:do|give|go|make|move|put|set|show|take|use)${END})(?:${TASKS}|clean up|get|modify|see|split|do (?:it|the|a))`;
/** Words for parts of software that are rarely used otherwise. */
const WORK =
  "apis?|apps?|args|arrays?|assets|auth|backends?|backups?|binar(?:y|ies)|branch(?:es)?|browsers?|bugs?|builds?|bundle|bytes?|cache[sd]?|changelog|ci|cli|codebase|code|columns?|commits?|components?|configs?|configuration|containers?|cookies?|cron|css|csv|databases?|db|dependenc(?:y|ies)|deploy(?:s|ed|ments?)?|diffs?|docker|docs?|documentation|dns|endpoints?|env|exceptions?|exports?|fields?|files?|fixtures?|folders?|frontends?|functions?|gateway|git|github|graphql|hash(?:es)?|hooks?|html|http|ids?|imports?|json|kubernetes|librar(?:y|ies)|lint(?:er|ing)?|linux|logger|logs|markdown|mcp|merge|metadata|migrations?|mocks?|modules?|namespace|npm|otel|packages?|parameters?|parsers?|payload|pipelines?|plugins?|pnpm|postgres|prs?|production|prompts?|proxy|pull requests?|python|quer(?:y|ies)|queues?|readme|redis|redirects?|regex|registry|repos?|repositor(?:y|ies)|rust|runtime|schemas?|scripts?|sdks?|servers?|settings|shell|sql|sqlite|staging|strings?|syntax|tables?|templates?|tenants?|tests?|threads?|timeouts?|timestamps?|tokens?|typescript|ui|urls?|utc|uv|variables?|webhooks?|websockets?|widgets?|workflows?|workspaces?|yaml";

export const SIGNS = {
  choice: [
    1.5,
    words(
      "decided?|agreed?|settled|go(?:ing)? with|stick (?:with|to)|i'd (?:keep|say|rather|prefer|start|do)|we'd rather|rather|instead|the plan is|we said|for now|(?:more|no) sense|enough|no need|drop|overkill|fine with|cleaner|clearer|simpler",
    ),
  ],
  "thing must": [
    1,
    /^(?!(?:i|you|we|he|she|they|it|this|that|there|then|which|what|why|how)(?:'|(?!\p{L})))(?:\S+ ){1,7}?(?:must|mustn't|should|shouldn't|needs? to|ha(?:s|ve) to|may not|may only|can only|cannot|is not allowed)(?![\p{L}'])/iu,
  ],
  "plural subject": [
    0.75,
    /^(?!(?:yes|this|its|is|was|does|thanks|always|as|let's|lets|less|unless|across|has)(?!\p{L}))(?:\p{L}+ ){0,2}?\p{L}{2,}[^\Ws'u]s (?!(?:and|or|of|in|for|on)(?!\p{L}))/iu,
  ],
  contrast: [
    0.75,
    /, (?:and |but |the )?(?:not|never|only|nothing|rather)(?!\p{L})|(?<!\p{L})(?:not|never|n't) [^,]{1,40}, (?:it|the|in|look|just|only|but|we)(?!\p{L})|(?<!\p{L})(?:and|but) not(?!\p{L})/iu,
  ],
  universal: [
    0.5,
    words(
      "always|never|whenever|every ?(?:time|one|body|thing)?|each|nobody|nothing|no one|at (?:least|most)|ever|by default|unless|until|own",
    ),
  ],
  "let us": [1, words(`(?:let's|lets) (?!(?:${LOOKING}|hope|say|do it)${END})\\p{L}+`)],
  "standing order": [
    1,
    first(
      "(?:please )?(?:always|never|don't|do not|keep|prefer|use|no(?= )|only|avoid|whenever|every ?time|when you|after each|make sure|from now on|in (?:the )?future|going forward)",
    ),
  ],
  wish: [0.5, words("better|keep|leave|stay|want|without|prefer")],
  "we will": [
    1,
    words(
      "we(?:'ll| will| would|'d| should| could| can| may| don't want| just want| want|'re going to| are going to|'re moving)|is going to|are going to|i would",
    ),
  ],
  obligation: [
    0.5,
    words(
      "must|mustn't|should|shouldn't|ha(?:s|ve) to|needs? to|shall|supposed to|may not|cannot|can't|allowed|expected|belongs?|needs?",
    ),
  ],
  correction: [
    1.25,
    new RegExp(
      `^(?:no|nope|wrong|not|actually|that(?:'s| is)(?: not|n't)|stop|remove|revert|undo|rather)${END}|(?<![\\p{L}])(?:instead|i (?:only )?(?:said|meant|asked|told)|not what|you should have|you're looking|that's not|isn't|turns out|should have been|too complicated)${END}|,? (?:and |but )?not (?:the|a|in|for|on|my|our|per)${END}|, (?:not|never) \\S`,
      "iu",
    ),
  ],
  "named subject": [
    0.25,
    first(
      "(?:the|our|an?|each|every|all|both|my|these|those|only|no|some|most) [\\p{L}-]+|there(?:'s| is| are)|users?|customers?|people|tests?|errors?|i[nt] \\p{L}+",
    ),
  ],
  "standing time": [
    1.25,
    words(
      "currently|at the moment|eventually|any ?more|nightly|monthly|weekly|daily|(?:mon|tues|wednes|thurs|fri|satur|sun)days|once|from now on|in the future",
    ),
  ],
  situated: [
    0.75,
    words(
      "(?:is|are|lives?|runs?) (?:already |also |only |just )?(?:hosted|built|based|written|stored|located|available|called|named|deployed|connected|kept|generated|published|shared|read|sent|used|at|in|on|from)",
    ),
  ],
  standing: [
    0.75,
    words(
      "until|as we|whenever|each|every|afterwards|right away|so that (?:the|a|people|users?|nobody|we|it|they)|in case|as the (?:minimum|maximum|default)|at (?:the|a) (?:minimum|maximum)",
    ),
  ],
  "own view": [
    -1.25,
    words(
      "i (?:now |still |also |only |just )?(?:notice|noticed|see|saw|get|got|observe|press|pressed|click|clicked|select|selected|open|opened|hit|tried|try|ran|run|can't|don't (?:see|get|think it)|zoom|resize|restart)",
    ),
  ],
  "own wish": [
    1.25,
    words(
      "i(?:'d| would)? (?:only |just |really |also |usually )?(?:want(?! to (?!have|keep|be asked))|prefer|like|love|hate|expect|care|don't (?:like|want))",
    ),
  ],
  exclamation: [1, /!\s*$/u],
  opinion: [0.25, words("i think|i guess|i suppose|i'd say|imo|maybe|i believe")],
  habit: [
    1.25,
    words(
      "we (?:currently |only |just |never |always |don't |still |also |all |already |usually )*(?:use|prefer|keep|deploy|publish|call|ship|store|write|support|treat|test|build|run)|we're on",
    ),
  ],
  states: [
    0.5,
    words(
      "is|are|uses?|runs?|lives?|keeps?|supports?|depends?|requires?|contains?|owns?|allows?|sends?|stores?|starts?|takes?|ignores?|has|have|doesn't|don't|only|works?|goes|gets|comes?|expires?|shares?|talks?",
    ),
  ],
  "passing time": [
    -0.75,
    words(
      "today|yesterday|tomorrow|tonight|again|just (?:now|noticed|rebooted)|already|almost|last (?:week|time|night|commits?|change)|so far|the whole|this (?:one|time|morning|afternoon|week)|next|right now|now|left|ready|first|real quick",
    ),
  ],
  "points first": [-0.25, first("this|that|it|these|those|they|he|she|which|something")],
  would: [-0.25, words("would|could|might|wouldn't|couldn't|probably|perhaps|i wonder|not sure")],
  "under 7 words": [-0.75, /^\S+(?:\s+\S+){3,5}$/u],
  "asks politely": [
    -1,
    words(
      "(?:can|could|would|will) you|can we|could we|help me|i(?:'d| would)? (?:need|want|like) you to|let me|(?:tell|show|give|send) me|i'd like to (?:see|know)|i want to (?:make sure|know|understand)|i need help",
    ),
  ],
  "task first": [-1, first(`(?:please |also |then |now |just |go ahead and )*(?:${TASKS})`)],
  question: [
    -1.75,
    /\?\W*$|(?<!\p{L})(?:do you (?:think|know)|wouldn't (?:it|that)|isn't (?:it|that))(?!\p{L})/iu,
  ],
  interrogative: [
    -2,
    first(
      "what(?:'s)?|why|how|where|who|which|is|are|was|were|does|did|(?:can|could|would|will|shall|should) (?:i|we|you|it|he|she|they|this|that|the|there|our|my|a)|isn't|aren't|shouldn't|do (?:we|you|they|i|the|these)|any idea|i wonder|when (?:is|are|do|does|did|will|can)",
    ),
  ],
  "own condition": [-1.25, words("(?:if|when|after|while|once|as) i(?:'m)?")],
  "own report": [
    -1.75,
    first(
      "(?:and |but |so )?i(?:'ve|'m|'ll| am| have| had| was| did| do| got| get| put| see| will| just| already| also| keep| can't| ran| now| manually| (?!need|agreed|decided)\\p{L}+ed| don't (?:see|understand|get|know))|we(?:'ve| have| already)? (?:now |just |already )?(?:(?!need|agreed|decided)\\p{L}+ed|made|got|done|finished)",
    ),
  ],
  problem: [
    -1.25,
    words(
      "errors?|fail(?:s|ed|ing|ure)?|broken|crash(?:es|ed)?|bugs?|(?:doesn't|does not|don't|not|isn't) (?:\\p{L}+ )?(?:work|works|working|change|update|render|match|show|find|load|open|seem|look)|wrong|missing|strange|weird|stuck|hangs?|issues?|problems?|blank|undefined|seems?|looks?|off by|didn't|wasn't|typo|gone|jumps?|misleading|incorrect|forever|broke|still|yet|no luck|even though|too (?:dark|bright|small|big|slow|intense|close)|still (?:the|fail\\p{L}*|not|doesn't|same|slow|broken)",
    ),
  ],
  marks: [-1.25, /[─│➜→⠇↑↓|]|^[#*+>\-/]|^\W*$/u],
  feeling: [
    -1.75,
    words(
      "thanks?|thank you|great|perfect|nice|awesome|wow|lol|haha|sorry|love it|much better|makes sense|i see|good (?:point|morning)|fair enough|annoying|wtf|oh|feel free",
    ),
  ],
  "under 4 words": [-2, /^\S+(?:\s+\S+){0,2}$/u],
  spoken: [
    -2.5,
    /(?<![\p{L}])(?:um+|uh+|mm-?hmm|you know|i mean|kind of|sort of|gonna|yeah)(?![\p{L}])|[{}]|\s[.,]\s|\s'\p{L}/iu,
  ],
  "task for us": [
    -2.5,
    words(
      `(?:let's|lets|we (?:still |now |also )?(?:need|have) to|i want to|i'd like to|we should) (?:${LOOKING})`,
    ),
  ],
  "impersonal and long": [
    -1.5,
    /^(?!.*(?<![\p{L}])(?:i|we|you|our|us|my|your|let's|we're|i'm|i'd|someone|somebody|people|users?)(?![\p{L}]))(?:\S+\s+){15}/iu,
  ],
  value: [
    -2.75,
    /(?<![0-9a-z])#?(?=[a-f]*\d)[0-9a-f]{6}(?![0-9a-z])|\d+ ?px|(?<!\d)0\.\d|(?:should|must|to) (?:be|stay|look) (?:the )?(?:same|that|this|as|like|other|[\p{L}]+er(?![\p{L}]))/iu,
  ],
} satisfies Record<string, readonly [weight: number, pattern: RegExp]>;

export type Sign = keyof typeof SIGNS;

export const NAMES = Object.keys(SIGNS) as Sign[];

/** "I think the tests should run in parallel" counts as the statement that follows. */
const OPINION = /^i (?:think|guess|suppose|believe|assume) (?:that )?/iu;

export function signsOf(clause: string): readonly Sign[] {
  const readings = [clause, clause.replace(OPINION, "")];
  return NAMES.filter((name) => readings.some((reading) => SIGNS[name][1].test(reading)));
}

export function scoreOf(signs: readonly Sign[]): number {
  return signs.reduce((sum, name) => sum + SIGNS[name][0], 0);
}

/** Some features are also words of other languages ("no", "in", "a"). These are not. */
const ENGLISH =
  /(?<!\p{L})(?:the|is|are|be|to|of|and|we|you|it|this|that|these|for|not|with|should|must|would|can|have|has|does|don't|doesn't|our|my|let's|lets|i'd|by|if|when|from|use|only|never|always|every|each|keep|messages|files|tests|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)(?!\p{L})/iu;

export function isEnglish(clause: string): boolean {
  return ENGLISH.test(clause);
}

const WORK_WORD = words(WORK);

export function isAboutWork(clause: string): boolean {
  return WORK_WORD.test(clause);
}
