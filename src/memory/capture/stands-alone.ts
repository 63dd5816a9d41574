/**
 * Whether an English sentence is of use in another conversation. It is not if it is cut off, a reproach, does not say what
 * it is about, is about one occasion, or is sample text. A missed memory is better than one of these.
 */

const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}'])";
const words = (...lists: readonly string[]) => new RegExp(`${START}(?:${lists.join("|")})${END}`, "iu");

/** Words after which a sentence goes on. */
const GOES_ON =
  /(?:^|\s)(?:and|or|but|the|an?|of|with|than|because|if|which|our|your|my)[\s.…]*$|[:,;(–—-]\s*$/iu;

function isCut(clause: string): boolean {
  const text = clause.replaceAll(/[:;]-?[()]/g, "");
  const count = (sign: string) => text.split(sign).length - 1;
  return (
    count("`") % 2 === 1 ||
    count('"') % 2 === 1 ||
    count("(") !== count(")") ||
    count("[") !== count("]") ||
    GOES_ON.test(clause) ||
    /^[,;:)\]…]/u.test(clause)
  );
}

const FAULT =
  "wrong|broken|worse|useless|nonsense|stupid|ridiculous|garbage|bullshit|terrible|not (?:it|true|right|correct|working|what i)";
const REPROACH = words(
  "why (?:did|do|are|were|would|have|on earth|the \\p{L}+) (?:you|i have)",
  "you(?:'re| are| were| just| still| again| keep| kept| always| constantly| clearly| never| even)* (?:not \\p{L}+ing|ignoring|breaking|guessing|lying|forgetting|making|missing|repeating|forgot|forget|broke|ignored|ignore|missed|messed|misunderstood|didn't|did not|haven't|don't (?:get|understand|listen|read|see|know|seem))",
  "i (?:already |just |have )*(?:told|said|asked|explained|mentioned) (?:you )?(?:this |that |it |so )*(?:already|before|twice|again|\\p{L}+ times)",
  `(?:that|this|it)(?:'s| is| was| looks)(?: just| still| completely| totally| so)* (?:${FAULT})(?=[\\s.!]*$)`,
  `(?:still|again) (?:${FAULT})`,
  `(?:${FAULT}|same (?:error|problem|mistake|issue|thing)) (?:once )?again`,
  "how (?:many times|often do i|hard (?:is|can))|for the (?:second|third|fourth|last|\\p{L}+th) time|stop \\p{L}+ing (?:this|that|it|me)",
);

/** A pronoun as the object of a request, up to the end or a reason. */
const POINTS_AT_OBJECT =
  /^(?:(?:no|yes|and|so|then|also|please|now|just|don't|do not|let's),? )*(?:add|bring|change|delete|do|drop|fix|get|ignore|keep|leave|make|merge|move|put|redo|remove|rename|restore|revert|rewrite|skip|stop|take|try|undo|use) (?:this|that|it|them|these|those)(?: (?:again|already|as well|away|back|here|in|instead|now|off|out|please|there|too|up))*(?:[.!,;]|$)/iu;
/** Too short to say what the pronoun stands for. */
const POINTS_AT_SUBJECT =
  /^(?:(?:no|yes|and|so|then|also|i think|maybe),? )*(?:it|(?:this|that)(?: one)?|they|these|those|he|she|the \p{L}+ one)(?:'s|'re|'ll|'d)? (?:\S+\s*){1,7}$/iu;
const POINTS_BACK = words(
  "same (?:goes|applies|is true|thing|here|way|for|as (?:before|above|with|in|the other))|likewise|ditto",
  "(?:had|was|were|did|looked|worked) (?:it )?before(?=[\\s.!]*$)",
  "(?:like|as|than|where) (?:it was |it is |they were |we had it )?(?:before|earlier|previously|above|last time)",
  "as (?:is|it (?:is|was)|they (?:are|were))(?=[\\s.!]*$)",
  "(?:this|that)(?: is|'s) (?:why|how|what|where|when)",
  "the other (?:one|two|way a?round)|the (?:latter|former)|the rest of (?:it|them)",
);

const PLACE =
  "pr|pull request|branch|commit|file|session|change|task|step|test|issue|diff|patch|turn|message|run|screenshot|line|comment|function|section|part|paragraph|page|ticket";
const CHANGED =
  "added|adjusted|changed|corrected|deleted|fixed|moved|removed|renamed|replaced|rewritten|updated";
const OCCASION = words(
  `(?:in|for|on|to|with|from|of) (?:this|that|the (?:current|last|previous|next)) (?:${PLACE})`,
  "this time|lines? \\d+|in a (?:bit|few minutes|minute|moment|second|sec|while)",
  `(?:should|must|needs? to|has to|have to) (?:also |still |now )?be (?:${CHANGED})`,
);
const ONE_TASK =
  /^(?:(?:please|also|then|now|just|ok) )*(?:make sure|ensure|check|verify|see) .*(?<!\p{L})(?:pass(?:es)?|works?|compiles?|builds?|green|up to date|still)(?!\p{L})/iu;
const WHAT = "if|whether|how|what|which|who|where|when|why";
/** A question in the form of a statement, or an impression. */
const UNDECIDED = new RegExp(
  `${START}questions? (?:is|was|remains|left is)(?: \\p{L}+)? (?:${WHAT})${END}|${START}(?:unclear|unsure|not sure|no idea|don't know) (?:${WHAT})${END}|^(?:it|this|that|something|everything) (?:\\p{L}+ )?(?:feels?|seems?|sounds?) `,
  "iu",
);
/** A request for an answer. */
const ASKS_WHAT = new RegExp(
  `^(?:(?:please|also|then|now|just|ok),? )*(?:check|decide|describe|explain|figure out|find out|list|propose|say|show|suggest|tell)(?: me| us)? (?:${WHAT})${END}`,
  "iu",
);
/** A request for one piece of work. */
const REQUEST =
  /^i(?:'d| would)?(?: also| now| just)? (?:like|need|want) you to (?!(?:answer|be|call|reply|respond|speak|use|write)(?!\p{L}))/iu;
/** What is said for every time is not about one occasion. */
const EVERY_TIME = words(
  "always|never|whenever|every ?(?:time)?|each|from now on|in (?:the )?future|by default|before (?:you|we) commit",
);

const SAMPLE =
  /(?<![\p{L}\p{N}])(?:foo|foobar|baz|qux|lorem|ipsum|asdf|hello,? world|(?:john|jane) doe)(?![\p{L}\p{N}])|<[\p{L} _-]+>|\{\{|\$\{/iu;

export function standsAlone(clause: string): boolean {
  const isOnce =
    [OCCASION, ONE_TASK, REQUEST].some((pattern) => pattern.test(clause)) && !EVERY_TIME.test(clause);
  const others = [REPROACH, POINTS_AT_OBJECT, POINTS_AT_SUBJECT, POINTS_BACK, SAMPLE, ASKS_WHAT, UNDECIDED];
  return !isCut(clause) && !isOnce && !others.some((pattern) => pattern.test(clause));
}
