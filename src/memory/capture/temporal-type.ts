/**
 * Whether a statement is permanent, temporary, or valid until a certain time. A time in a sentence is not always an end:
 * "told me today that he moved" is permanent. An end is set only when the statement is about something bounded in
 * the future: an appointment, a plan, an absence. The end is the latest that the words allow in any time zone, since
 * it is worse to drop a meeting an hour early than to keep it a day too long.
 */
import type { TemporalType } from "../../memory-types.ts";
import { DAY_MS } from "../days.ts";

interface TemporalReading {
  readonly type: TemporalType;
  readonly validUntil: string | null;
  readonly reason: string;
}

/** Longer expressions first: "the day after tomorrow" contains "tomorrow". Days until it is certainly over. */
const TIMES: readonly (readonly [string, number, RegExp])[] = [
  [
    "the day after tomorrow",
    4,
    either(
      "the day after tomorrow|in two days|übermorgen|après-demain|pasado mañana|depois de amanhã|dopodomani|послезавтра",
      "后天|後天|明後日|あさって|모레",
    ),
  ],
  [
    "tomorrow",
    3,
    either(
      "tomorrow|morgen (?:um|früh|abend|mittag|nachmittag|vormittag)|morgen|demain|mañana (?:a las|por la)|mañana|amanhã|domani|завтра",
      "明天|明日|あした|내일",
    ),
  ],
  [
    "tonight",
    2,
    either(
      "tonight|this evening|heute (?:abend|nacht)|ce soir|cette nuit|esta (?:noche|tarde)|esta noite|stasera|stanotte|сегодня вечером",
      "今晚|今夜|오늘 ?(?:밤|저녁)",
    ),
  ],
  [
    "today",
    2,
    either(
      "today|later today|this (?:morning|afternoon)|heute|aujourd'hui|hoy|hoje|oggi|сегодня",
      "今天|今日|오늘",
    ),
  ],
  [
    "next week",
    15,
    either(
      "next week|nächste(?:r|n)? woche|la semaine prochaine|la (?:próxima semana|semana que viene)|(?:na )?(?:próxima semana|semana que vem)|la (?:prossima settimana|settimana prossima)|на следующей неделе",
      "下周|下週|来週|다음 ?주",
    ),
  ],
  [
    "this week",
    8,
    either(
      "this (?:week|weekend)|diese(?:r|n)? woche|(?:dieses|am) wochenende|cette semaine|ce week-end|esta semana|este fin de semana|questa settimana|questo fine settimana|на этой неделе|в эти выходные",
      "这周|這週|本周|这个?周末|今週|이번 ?주",
    ),
  ],
  [
    "next month",
    63,
    either(
      "next month|nächste(?:r|n)? monat|le mois prochain|el (?:próximo mes|mes que viene)|(?:no )?(?:próximo mês|mês que vem)|il (?:prossimo mese|mese prossimo)|в следующем месяце",
      "下个?月|下個月|来月|다음 ?달",
    ),
  ],
  [
    "this month",
    32,
    either(
      "this month|diese(?:r|n)? monat|ce mois-ci|este mes|este mês|questo mese|в этом месяце",
      "这个?月|這個月|本月|今月|이번 ?달",
    ),
  ],
];

/** Things that end with their time. */
const BOUNDED = either(
  "meetings?|appointments?|calls?|interviews?|flights?|trains?|exams?|tests?|deadlines?|due|deliver(?:y|ies)|dinners?|lunch|party|concerts?|visits?|reservations?|booking|webinar|stand-?up|demo|presentation|dentist|doctor|out of (?:the )?office|on (?:vacation|holiday|leave)|away|busy|off work|unavailable|" +
    "besprechung|termin|treffen|anruf|flug|zug|prüfung|klausur|frist|abgabe|lieferung|abendessen|mittagessen|feier|konzert|besuch|zahnarzt|arzttermin|urlaub|abwesend|im urlaub|" +
    "réunion|rendez-vous|rdv|vol|examen|entretien|livraison|dîner|déjeuner|fête|dentiste|absente?|en congé|" +
    "reunión|cita|vuelo|entrevista|entrega|cena|almuerzo|fiesta|dentista|de vacaciones|" +
    "reunião|consulta|voo|prova|entrega|jantar|almoço|festa|de férias|" +
    "riunione|appuntamento|volo|esame|colloquio|consegna|pranzo|festa|in ferie|" +
    "встреча|совещание|рейс|экзамен|собеседование|доставка|ужин|обед|врачу?|стоматолог\\p{L}*|в отпуске",
  "会议|開會|开会|会面|约会|预约|面试|航班|考试|截止|快递|聚餐|晚饭|出差|请假|会議|打ち合わせ|予約|面接|試験|締め切り|飲み会|休み|회의|미팅|약속|면접|비행기|시험|마감|저녁 식사|휴가",
);
/** An intention for the named time. */
const PLANNED = either(
  "(?:i|we|he|she|they)(?:'ll|'m going to| will| am going to| are going to| is going to| have to| need to| must)|(?:ich|wir) (?:muss|müssen|werde|werden)|je (?:dois|vais)|nous (?:devons|allons)|(?:tengo|tenemos) que|voy a|vamos a|(?:tenho|temos) que|vou|(?:devo|dobbiamo)|(?:мне|нам) (?:нужно|надо)",
  "(?:我|我们)(?:要|得|必须|打算)|なければ|する予定|해야|할 예정",
);
/** Past, permanent or recurring: no end. */
const LASTING = either(
  "told|said|mentioned|moved|decided|started|became|learned|bought|sold|married|born|quit|joined|switched|since|from (?:today|tomorrow|now|next (?:week|month))|as of|starting|permanent(?:ly)?|forever|always|never|every|each|until further notice|prefers?|likes?|loves?|hates?|allergic|" +
    "erzählte?|erzählt|sagte|gesagt|gezogen|entschieden|beschlossen|begonnen|gekauft|seit|ab (?:heute|morgen|sofort|nächster|nächstem)|für immer|dauerhaft|immer|nie|jede[nrsm]?|bevorzuge|mag|" +
    "dit|déménagé|décidé|commencé|acheté|depuis|à partir|toujours|jamais|chaque|définitivement|préfère|" +
    "dijo|mudé|mudado|decidí|decidido|empecé|desde|a partir|siempre|nunca|cada|para siempre|prefiero|" +
    "disse|mudei|decidi|comecei|sempre|toda|permanentemente|prefiro|" +
    "detto|trasferit[oa]|deciso|iniziato|da (?:oggi|domani)|ogni|mai|preferisco|" +
    "сказал[аи]?|переехал[аи]?|решил[аи]?|начал[аи]?|купил[аи]?|с (?:сегодняшнего|завтрашнего)|всегда|никогда|кажд\\p{L}+|навсегда",
  "告诉|说过|搬到|搬家|决定|开始|买了|从今天|从明天|永远|永久|一直|每|喜欢|言った|引っ越|決め|始め|から|ずっと|いつも|毎|말했|이사|결정|시작|부터|항상|매일|매주|영원",
);
/** Temporarily true. */
const FOR_NOW = either(
  "currently|at the moment|right now|these days|for now|for the time being|recently|lately|temporarily|this (?:week|month|quarter|semester)|working on|" +
    "derzeit|zurzeit|momentan|gerade|im moment|vorerst|neulich|aktuell|vorübergehend|actuellement|en ce moment|pour l'instant|récemment|actualmente|ahora mismo|por ahora|últimamente|atualmente|no momento|por enquanto|ultimamente|attualmente|al momento|per ora|сейчас|в данный момент|пока|недавно|временно",
  "目前|现在正?|最近|暂时|近来|現在|今のところ|最近|一時的|지금|현재|요즘|당분간|최근",
);
const STAYS = either(
  "permanent(?:ly)?|forever|for good|dauerhaft|für immer|définitivement|para siempre|para sempre|per sempre|навсегда",
  "永远|永久|ずっと|영원",
);

function either(words: string, runs: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])|${runs}`, "iu");
}

export function readTemporal(text: string, now: number): TemporalReading {
  const plain = text.normalize("NFC").replaceAll("’", "'");
  const time = TIMES.find(([, , rule]) => rule.test(plain));
  const isBounded = (BOUNDED.test(plain) || PLANNED.test(plain)) && !LASTING.test(plain);
  if (time !== undefined && isBounded) {
    const [name, days] = time;
    const validUntil = new Date(now + days * DAY_MS).toISOString();
    return { type: "dynamic", validUntil, reason: `It is about ${name} and over then.` };
  }
  if (FOR_NOW.test(plain) && !STAYS.test(plain))
    return { type: "dynamic", validUntil: null, reason: "It says that it holds for now." };
  return { type: "static", validUntil: null, reason: "Nothing says that it ends." };
}
