/** The situation in which a statement is valid: one of the known labels, or a short custom name. */

export const GENERAL = "general";
const LONGEST = 40;

const ALIASES: Readonly<Record<string, string>> = {
  afternoon: "afternoon",
  下午: "afternoon",
  nachmittag: "afternoon",
  通用: GENERAL,
  一般: GENERAL,
  default: GENERAL,
  none: GENERAL,
  null: GENERAL,
  always: GENERAL,
  any: GENERAL,
  早上: "morning",
  早晨: "morning",
  上午: "morning",
  morgens: "morning",
  mornings: "morning",
  晚上: "evening",
  傍晚: "evening",
  abends: "evening",
  evenings: "evening",
  夜晚: "night",
  深夜: "night",
  夜里: "night",
  nachts: "night",
  nights: "night",
  工作日: "weekday",
  weekdays: "weekday",
  周末: "weekend",
  週末: "weekend",
  wochenende: "weekend",
  weekends: "weekend",
  工作: "work",
  上班: "work",
  arbeit: "work",
  office: "work",
  job: "work",
  休闲: "leisure",
  娱乐: "leisure",
  freizeit: "leisure",
  "free-time": "leisure",
  夏天: "summer",
  夏季: "summer",
  sommer: "summer",
  冬天: "winter",
  冬季: "winter",
  旅行: "travel",
  出差: "travel",
  旅游: "travel",
  travelling: "travel",
  traveling: "travel",
  reise: "travel",
  reisen: "travel",
};

export function contextLabel(given: string | null | undefined): string {
  const name = (given ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  const short = [...name].slice(0, LONGEST).join("").replace(/-+$/, "");
  if (short === "") return GENERAL;
  return Object.hasOwn(ALIASES, short) ? (ALIASES[short] ?? GENERAL) : short;
}
