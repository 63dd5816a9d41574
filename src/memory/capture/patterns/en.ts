import { hasWords, type LanguagePatterns, starts, states, statesExactly } from "../pattern.ts";
import { ENDED_ENGLISH } from "./ended.ts";

const ROLES =
  "engineer|developer|programmer|designer|nurse|doctor|surgeon|physician|dentist|teacher|professor|student|researcher|scientist|lawyer|attorney|accountant|architect|artist|musician|writer|author|journalist|editor|translator|consultant|manager|director|founder|freelancer|chef|cook|baker|pilot|farmer|carpenter|electrician|mechanic|plumber|pharmacist|psychologist|therapist|veterinarian|vet|biologist|chemist|physicist|mathematician|economist|analyst|photographer|librarian|pensioner|retiree|parent|father|mother|grandmother|grandfather|widow|widower|citizen";
const RELATIVES =
  "wife|husband|partner|girlfriend|boyfriend|fiancée?|son|daughter|child|mother|mom|mum|father|dad|sister|brother|boss|manager|dog|cat|grandmother|grandfather|aunt|uncle|cousin|best friend";
/** A preference is about a thing, not about this answer. */
const NOT_THIS =
  "(?!(?:this|that|it|you|your|the way|how|what|where|when|to see|these|those|them|one|both|all of)\\b)";

export const ENGLISH: LanguagePatterns = {
  language: "en",
  remember: [
    starts(
      "(?:please |can you please |could you please )?(?:remember|keep in mind|bear in mind|don't forget|do not forget)(?: (?:this|that|the following))?(?: for (?:later|next time|the future))?(?:\\s*[:,—–]\\s*|\\s+(?:that|of)\\s+|\\s+(?=(?:i|i'm|im|i've|my|we|our|we're)(?![\\p{L}\\p{N}])|the .{2,40} (?:is|are|was|has) ))",
    ),
    // "Note that the function returns null" is about the work; with a first person it is a request.
    starts(
      "(?:please )?(?:note|make a note|take note)(?: that|:)? (?=(?:i|i'm|i've|my|we|our)(?![\\p{L}\\p{N}]))",
    ),
    starts("for (?:future reference|the record|your information),?\\s+"),
    starts(
      "(?:can|could|would|will) you (?:please )?(?:remember|note|keep in mind) that (?=(?:i|i'm|i've|my|we|our)(?![\\p{L}\\p{N}]))",
    ),
  ],
  dontRemember: hasWords(
    "(?:don't|do not|please don't|never|no need to|you needn't) (?:remember|save|store|note|record|keep|memori[sz]e) (?:this|that|it|any of (?:this|that)|what i|anything|my)|off the record|(?<!(?:n't|not|never) )forget (?:this|that|what i (?:said|told))|just kidding|jk|just joking",
  ),
  lead: starts(
    "(?:hi|hello|hey|btw|by the way|also|and|so|well|oh|ok|okay|fyi|just so you know|actually|anyway|yes|yeah|right|sure|thanks|thank you|to be clear|in general|generally|personally|honestly)(?:\\s*[,.:;!—–]+\\s*|\\s+(?=(?:i|i'm|i've|my|we|our|always|never)(?![\\p{L}\\p{N}])))",
  ),
  correction: starts(
    "(?:no|nope|sorry|wait|correction|my mistake|not quite|that's (?:wrong|not right|not correct|incorrect)|you're wrong)(?:\\s*[,.:;!—–]+\\s*|\\s+)(?:(?:actually|i meant|i mean|it's actually|rather)[, ]+)?",
  ),
  supposed: hasWords(
    "if i|if we|if my|suppose|supposing|imagine|pretend|hypothetically|let's say|say i|i wish|i'd|i would|we would|would have|as if|in this story|my character|in the novel|for example|e\\.g|maybe|perhaps|might|not sure|i think i|i guess|used to|lol|lmao|haha+",
  ),
  statements: [
    ...ENDED_ENGLISH,
    statesExactly("name", "profile", "I(?:'m| am) \\p{Lu}\\p{Ll}+[.!]?$"),
    statesExactly("language", "profile", "I speak (?:fluent |native |some |a little )?\\p{Lu}\\p{Ll}+"),
    statesExactly("preference", "preferences", "\\p{Lu}\\p{Ll}+ prefers \\S"),
    states(
      "habit",
      "preferences",
      "i use \\S.{0,40} as my \\p{L}|we (?:always |only |now )?use (?!(?:it|this|that|them|these|those|the|a|an)\\b)\\S+ (?:for|as) \\S",
    ),
    states(
      "name",
      "profile",
      "(?:my|the user's) (?:full |first |last |real )?name(?: is|'s) \\S|(?:please )?call me (?!(?:back|later|when|if|at|on|tomorrow|today|in|for|a)\\b)\\S|i(?:'m| am|m) called \\S",
    ),
    states(
      "age",
      "profile",
      "i(?:'m| am|m) \\d{1,3} (?:years old|yo)\\b|my birthday is|i was born (?:in|on)\\b",
    ),
    states(
      "work",
      "profile",
      `i(?:'m| am|m) (?:currently |now )?an? (?:[\\p{L}-]+ ){0,3}(?:${ROLES})\\b|i (?:currently |now )?work (?:as an? |(?:at|for|with) (?!(?:\\d+|one|two|three|four|five|six|eight|ten|a few|several|half|hours|night|noon|home|it|this|that|you|now|the moment)\\b))\\S|my (?:job|profession|occupation|employer) is|i (?:run|founded|co-founded) (?:a|an|my own) (?!(?:test|tests|script|build|query|command|check)\\b)|i own (?:a|an|my own) (?:\\p{L}+ )?(?:business|company|shop|store|restaurant|café|bakery|farm|studio)\\b|i(?:'m| am|m) (?:retired|unemployed|self-employed)\\b|i (?:study|studied|teach) (?!(?:the|this|that|these|those|your|it|how|what|you|a|an)\\b)\\p{L}`,
    ),
    states(
      "home",
      "profile",
      "i (?:currently |now )?live (?:in|near|at) (?!(?:fear|hope|the moment|peace|it)\\b)\\S|i(?:'ve| have)? (?:just |recently )?moved to (?!(?:the next|a new (?:tab|window)|using)\\b)\\S|i(?:'m| am|m) (?:originally )?from (?!(?:the (?:it|support)|now)\\b)\\S|i grew up in|my (?:home )?address is|my (?:time ?zone|home ?town) is",
    ),
    states(
      "health",
      "profile",
      "i(?:'m| am|m) (?:\\p{L}+ )?allergic to|i have (?:an? )?(?:\\p{L}+ ){0,3}(?:allergy|intolerance)\\b|i(?:'m| am|m) (?:also |now )?(?:vegan|vegetarian|pescatarian|diabetic|lactose[- ]intolerant|gluten[- ]intolerant|celiac|coeliac|pregnant|colou?r[- ]?blind|deaf|blind|dyslexic|left-handed|autistic|epileptic)\\b|i have (?:type [12] )?(?:diabetes|asthma|epilepsy|adhd|celiac disease|coeliac disease|migraines|arthritis|high blood pressure)\\b|i (?:can't|cannot) (?:eat|drink|tolerate) (?!(?:this|that|it|right|now|any|anything|at|until|much|so|too|more)\\b)\\S",
    ),
    states(
      "family",
      "profile",
      "i(?:'m| am|m) (?:married|divorced|engaged|widowed|single)\\b|i have (?:a|an|one|two|three|four|five|\\d+|no) (?:\\p{L}+ )?(?:kids?|child|children|sons?|daughters?|brothers?|sisters?|siblings?|dogs?|cats?|grandchildren|twins)\\b",
    ),
    states(
      "contact",
      "profile",
      "my (?:work |personal |private )?(?:e-?mail(?: address)?|phone(?: number)?|mobile(?: number)?) is \\S",
    ),
    states(
      "language",
      "profile",
      "my (?:native|first|mother) (?:language|tongue) is|i(?:'m| am|m) a native \\p{L}+ speaker",
    ),
    states(
      "relative",
      "entities",
      `(?:my|our) (?:\\p{L}+ )?(?:${RELATIVES})(?:'s name is| is (?:called|named)) \\S`,
    ),
    statesExactly(
      "relative",
      "entities",
      `(?:My|my|Our|our) (?:${RELATIVES}) is \\p{Lu}\\p{L}+(?:[.!,]|$| and)`,
    ),
    states(
      "relative",
      "entities",
      `(?:my|our) (?:\\p{L}+ )?(?:${RELATIVES}) (?:is (?:a|an|allergic|vegan|vegetarian)|works|lives|likes|loves|hates) `,
    ),
    states(
      "preference",
      "preferences",
      `i (?:really |absolutely |much |strongly |usually |generally |always |also |still |now )?(?:prefer|like|love|enjoy|hate|dislike|detest|adore|can't stand|cannot stand|don't like|do not like|don't enjoy) ${NOT_THIS}\\S`,
    ),
    states(
      "preference",
      "preferences",
      "my (?:absolute |all-time )?(?:favou?rite|preferred) [\\p{L} -]{2,40} (?:is|are) \\S|i(?:'m| am|m) (?:a (?:big |huge )?fan of|not a fan of|fond of|into) (?!(?:this|that|it|the|your)\\b)\\S",
    ),
    states(
      "habit",
      "preferences",
      "i (?:always|never|usually|only|mostly|rarely) (?:eat|drink|use|wear|work|sleep|travel|fly|cook|run|write|code|read|take|buy|pay|drive|cycle)\\b|i don't (?:eat|drink|smoke|drive)\\b",
    ),
    states(
      "rule",
      "preferences",
      "(?:please )?(?:from now on|in (?:the )?future|going forward),? (?:please )?\\p{L}+ \\S|(?:please )?always (?:answer|reply|respond|use|write|ask|include|call|address|speak|run|test|check|commit) \\S|please (?:don't|do not) (?:ever )?(?:use|call|address|answer in|reply in|write in) \\S|(?:please )?never (?:use|write|answer|reply|push|commit|delete|call|send|share|include|assume) ",
    ),
    states(
      "decision",
      "events",
      "(?:we|i)(?:'ve| have)? (?:just |now |finally )?(?:(?:decided|agreed|opted|committed) (?:to|on|that|for|against) (?!(?:go with |use |take )?(?:the (?:first|second|third|other|latter|former|same)|option|it|this|that)\\b)\\S|(?:settled on|chose) (?!(?:it|this|that|option|the (?:first|second|third|other|latter|former|same))\\b)\\S)|(?:we|i)(?:'re| are| am|'m) going with \\S|let's go with (?!(?:this|that|it)\\b)\\S|decision:\\s*\\S",
    ),
  ],
};
