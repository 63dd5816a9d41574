/** Words that refer to earlier conversations or to the person: with them, memory is always searched. */

const SPACED = [
  "remember|recall|forgot|forget|remind|memory|memories|last (?:time|week|month|year)|before|previously|earlier|yesterday|ago|we (?:discussed|decided|agreed|talked|said)|my (?:name|email|address|birthday|wife|husband|partner|kids?|boss|team|job|phone)|(?:what|when|where|who) (?:did|do|was|were|am) (?:i|we)|as (?:usual|always)",
  "erinner\\p{L}*|vergessen|letztes? (?:mal|woche|monat|jahr)|letzte woche|vorher|früher|gestern|neulich|wie immer|mein(?:e|er|en)? (?:name|frau|mann|adresse|geburtstag|chef|chefin|kinder)|(?:was|wann|wo) (?:habe|hatte|haben|hatten) (?:ich|wir)",
  "souvien\\p{L}*|rappel\\p{L}*|oublié|la dernière fois|avant|hier|mon (?:nom|mari|adresse|anniversaire)|ma (?:femme|adresse)",
  "recuerda\\p{L}*|olvid\\p{L}*|la última vez|antes|ayer|mi (?:nombre|esposa|esposo|dirección|cumpleaños)",
  "lembra\\p{L}*|esquec\\p{L}*|da última vez|ontem|meu (?:nome|marido|aniversário)|minha esposa",
  "ricord\\p{L}*|dimentic\\p{L}*|l'ultima volta|ieri|il mio (?:nome|compleanno)|mia moglie",
  "помнишь|напомни\\p{L}*|вспомни\\p{L}*|забыл\\p{L}*|в прошлый раз|вчера|раньше|мо[йяё] (?:имя|жена|муж|адрес)",
].join("|");
const WORDS = new RegExp(`(?<![\\p{L}\\p{N}])(?:${SPACED})(?![\\p{L}\\p{N}])`, "iu");

const RUNS =
  /记得|記得|忘了|忘记|上次|之前|以前|昨天|刚才|我的(?:名字|妻子|丈夫|地址|生日|邮箱)|我(?:们)?(?:说过|讨论过|决定)|覚えて|忘れ|前回|以前|昨日|この間|私の(?:名前|妻|夫|住所|誕生日)|기억|지난번|어제|예전|전에|내 (?:이름|아내|남편|주소|생일)/u;

export function hasMemoryCue(text: string): boolean {
  return WORDS.test(text) || RUNS.test(text);
}
