import { hasWords, type LanguagePatterns, starts, states } from "../pattern.ts";
import { ENDED_GERMAN } from "./ended.ts";

const NOT_THIS = "(?!(?:das|dies|diese[rsnm]?|es|dich|dein\\p{L}*|euch|wie|was|wenn|dass)(?!\\p{L}))";

export const GERMAN: LanguagePatterns = {
  language: "de",
  remember: [
    starts(
      "(?:bitte )?(?:merke? dir|merken sie sich|notiere?(?: dir)?|denke? (?:bitte )?daran|vergiss (?:bitte )?nicht|behalte? im kopf)(?: bitte)?(?: (?:das|folgendes))?(?:\\s*[:,—–]\\s*(?:dass\\s+)?|\\s+(?:dass\\s+)?(?=(?:ich|mein\\p{L}*|wir|unser\\p{L}*|der|die|das)(?!\\p{L})))",
    ),
    starts("(?:zur info|fürs nächste mal|zur erinnerung)[:,]?\\s+"),
  ],
  dontRemember: hasWords(
    "(?:merk|speicher|notier)e? (?:dir )?(?:das|dies|es) (?:bitte )?nicht|nicht (?:merken|speichern|notieren)|vergiss (?:das|es)(?: bitte)?(?: wieder)?|nur (?:ein )?(?:spaß|scherz)",
  ),
  lead: starts(
    "(?:hallo|hi|hey|übrigens|also|und|ja|nun|na ja|ok|okay|danke|eigentlich|nebenbei|im allgemeinen|grundsätzlich)(?:\\s*[,.:;!—–]+\\s*|\\s+(?=(?:ich|mein\\p{L}*|wir|unser\\p{L}*)(?!\\p{L})))",
  ),
  correction: starts(
    "(?:nein|nee|falsch|korrektur|moment|doch nicht|das stimmt nicht|das ist falsch|entschuldigung)(?:\\s*[,.:;!—–]+\\s*|\\s+)(?:(?:eigentlich|ich meinte?|tatsächlich|sondern)[, ]+)?",
  ),
  supposed: hasWords(
    "wenn ich|wenn wir|falls ich|angenommen|stell dir vor|nehmen wir an|hätte|wäre|würde|würden|möchte|könnte|vielleicht|als ob|in der geschichte|zum beispiel|z\\.b|früher mal",
  ),
  statements: [
    ...ENDED_GERMAN,
    states(
      "name",
      "profile",
      "ich heiße \\S|mein (?:vor|nach)?name ist \\S|nenn(?:e|t)? mich (?!(?:nicht|bitte nicht)(?!\\p{L}))\\S|du kannst mich .{2,30} nennen",
    ),
    states(
      "age",
      "profile",
      "ich bin \\d{1,3}(?: jahre alt)?[.!]?$|ich habe am .{3,30} geburtstag|ich (?:bin|wurde) .{2,30} geboren|mein geburtstag ist",
    ),
    states(
      "work",
      "profile",
      "ich arbeite (?:\\p{L}+ )?(?:als|bei|für) (?!(?:dich|uns|heute|morgen|jetzt)(?!\\p{L}))\\S|ich bin (?:von beruf )?(?:\\p{L}+ )?\\p{L}*(?:entwickler|ingenieur|lehrer|ärzt|arzt|student|pfleger|krankenschwester|anwält|anwalt|architekt|designer|programmierer|forscher|journalist|berater|koch|köchin|bäcker|schreiner|mechaniker|rentner|professor|psycholog|apotheker|musiker|künstler|übersetzer|selbstständig|freiberufl)\\p{L}*|mein (?:beruf|arbeitgeber|job) ist|ich studiere \\p{L}",
    ),
    states(
      "home",
      "profile",
      "ich (?:wohne|lebe) (?:jetzt |derzeit |inzwischen |seit \\S+ )?(?:in|bei|nahe|an|auf) \\S|ich komme (?:ursprünglich )?aus (?!(?:dem meeting|der besprechung)(?!\\p{L}))\\S|ich bin nach \\S+.{0,40} (?:gezogen|umgezogen)|meine adresse (?:ist|lautet)|ich bin in \\S+ aufgewachsen",
    ),
    states(
      "health",
      "profile",
      "ich (?:bin|reagiere) (?:\\p{L}+ )?allergisch (?:gegen|auf)|ich habe (?:eine? )?(?:\\p{L}+ )?\\p{L}*(?:allergie|unverträglichkeit|intoleranz|diabetes|asthma|zöliakie|migräne|epilepsie|adhs)|ich bin (?:vegan|vegetarisch|vegetarier|veganer|diabetiker|schwanger|farbenblind|linkshänder|gehörlos)\\p{L}*|ich vertrage kein",
    ),
    states(
      "family",
      "profile",
      "ich bin (?:verheiratet|geschieden|verlobt|verwitwet|ledig)|ich habe (?:ein(?:e|en)?|zwei|drei|vier|\\d+|keine) (?:\\p{L}+ )?(?:kind|kinder|sohn|söhne|tochter|töchter|bruder|brüder|schwester|schwestern|geschwister|hund|hunde|katze|katzen|enkel)(?!\\p{L})",
    ),
    states(
      "contact",
      "profile",
      "meine? (?:e-?mail(?:-?adresse)?|telefonnummer|handynummer) (?:ist|lautet) \\S",
    ),
    states("language", "profile", "ich spreche (?:fließend |etwas |auch )?\\p{L}+|meine muttersprache ist"),
    states(
      "relative",
      "entities",
      "(?:mein|meine|unser|unsere) (?:\\p{L}+ )?(?:frau|mann|partner|partnerin|freund|freundin|sohn|tochter|kind|mutter|vater|schwester|bruder|chef|chefin|hund|katze|oma|opa)(?: heißt|s name ist) \\S",
    ),
    states(
      "preference",
      "preferences",
      `ich (?:bevorzuge|mag|liebe|hasse|schätze|verabscheue) (?:am liebsten |sehr |wirklich |lieber |keine?n? )?${NOT_THIS}\\S|ich (?:esse|trinke|nehme|benutze|nutze|fahre|reise|schreibe|lese|arbeite) (?:immer |nie |kein(?:e|en)? |gern(?:e)? |lieber |am liebsten |nur |meistens |ungern )\\S|mein(?:e)? lieblings\\p{L}+ (?:ist|sind|heißt) \\S`,
    ),
    states(
      "rule",
      "preferences",
      "(?:bitte )?(?:ab jetzt|ab sofort|von nun an|in zukunft|künftig),? \\S|(?:bitte )?(?:antworte|schreib|schreibe|sprich|nutze|verwende|duze|sieze) (?:mir |mich )?(?:bitte )?(?:immer|nie|niemals|stets|nur) \\S",
    ),
    states(
      "decision",
      "events",
      "wir haben (?:uns )?(?:.{1,60} )?(?:entschieden|beschlossen|vereinbart|geeinigt)|ich habe (?:mich )?(?:.{1,60} )?(?:entschieden|beschlossen)|wir nehmen (?!(?:das|es|an)(?!\\p{L}))\\S|entscheidung:\\s*\\S",
    ),
  ],
};
