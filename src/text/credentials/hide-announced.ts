/**
 * Hides credentials that their context announces: the name of a setting, an option of a command, a header, a sentence
 * that states a password. They may be ordinary words, so any text in that position is hidden.
 */
import { ABOUT_PASSWORDS, FUNCTION_WORDS, HIDDEN } from "./credential-words.ts";

/** Passwords, which may be ordinary words, in ten languages. */
const PASSWORD =
  "passw(?:or[dt])?|passphrase|passcode|passwd|pwd|secret(?!ar|ion|iv|ly)|kennwort|mot de passe|contrase|senha|парол|密码|密碼|口令|パスワード|비밀번호|(?<!\\p{L})pin(?!\\p{L})|(?:one[- ]?time|verification|security|access|confirmation|recovery|backup|sign-?in|login|sms|2fa|mfa)[ _-]?codes?";
/** Names of settings, fields or options with a credential, except for counts of tokens. */
const NAMED = `(?:${PASSWORD}|credential|token(?!s|i[sz]|[_-]?(?:count|cap|limit|budget|usage|type|size|length|threshold|before|after))|(?:api|access|private|account|signing|shared|ssh)[_. -]?key|(?<!\\p{L})(?:pass|pw|otp|mfa|totp|cvv|cvc|sig|sid|jwt|dsn)(?!\\p{L})|(?<=[?&]|X-Amz-)(?:code|key|signature))`;
const VALUE = "(?:\"[^\"\\n]*\"|'[^'\\n]*'|`[^`\\n]*`|[^\\s\"'`,;&|)}\\]]+)";
const QUOTE = "[\"'`]?";
const SETTING = `${NAMED}[\\p{L}\\p{N}_.-]{0,24}${QUOTE}\\s{0,3}`;
const ASSIGNED = new RegExp(`(${SETTING}(?:=>|:=|[=:：])\\s{0,3})(${VALUE})`, "giu");
const OPTION = new RegExp(
  `((?<![\\p{L}\\p{N}])--?[\\p{L}\\p{N}-]{0,30}?${NAMED}[\\p{L}\\p{N}-]{0,20}(?:\\s{1,3}|=))(?!-)(${VALUE})`,
  "giu",
);
/** `The password of the server is …`. */
const TOLD = new RegExp(
  `((?:${PASSWORD})\\p{L}{0,4}(?:\\s+(?:for|of|to|on|in|at|del?|du|für|von|zum|der|des)(?:\\s+[\\p{L}\\p{N}.@-]{1,40}){1,3}?)?\\s+(?:is|was|are|reads|ist|war|lautet|est|es|é|è)\\s*:?\\s+)([^\\n,;.!?]{1,80})`,
  "giu",
);
/** `… is the password`. */
const IS_PASSWORD =
  "\\s+(?:as|is|was)\\s+(?:(?:the|a|my|our|your|its|his|her)\\s+)?(?:\\p{L}{1,20}\\s+)?(?:password|passphrase|passcode|pin|secret)(?!\\p{L})";
const TOLD_BEFORE = new RegExp(`(?<=^|\\s)(\\S{4,64})(${IS_PASSWORD})`, "giu");
/** A line of a name and a value, without a separator. */
const LINE = new RegExp(`^([ \\t]*(?:${PASSWORD})[ \\t]+)([^\\s:=]+)$`, "gimu");
/** Options with one letter, and the words of a netrc file. */
const ACCOUNT_OPTION = /((?<!\S)(?:-u|--user|--proxy-user)[ =]["']?[\w.@-]{1,60}:)([^\s"']+)/gu;
const PASSWORD_OPTION =
  /((?<![\p{L}-])(?:sshpass[^\n|;]{0,80}?\s-p\s?|(?:mysql|mariadb)[a-z-]{0,10}\s[^\n|;]{0,120}?(?<=\s)-p))([^\s-]\S*)/gu;
const NETRC = /((?<!\p{L})login\s+\S{1,80}\s+password\s+)(\S+)/gu;
/** `password-hunter2`, but not `password-reset`. */
const JOINED = new RegExp(`((?:${PASSWORD})[-_])(\\p{L}{3,}\\d[\\p{L}\\p{N}]*)`, "giu");
const HEADER =
  /(authoriz[a-z]{1,6}["'`]?\s{0,3}[:=]\s{0,3}["'`]?(?:bearer|basic|digest|token|api-?key|negotiate|[a-z0-9-]{3,20}(?=\s+\S{16}))\s+)([^\s"'`]+)/giu;
const COOKIE = /((?<!\p{L})(?:set-)?cookie["'`]?\s{0,3}[:=]\s{0,3}["'`]?)([^\s=;]{1,60}=[^"'`\n]*)/giu;
const SCHEME =
  /((?<!\p{L})(?:Bearer|bearer|BEARER|Basic)\s+)((?!tokens?\b|auth|scheme|header|format)[^\s"'`,;)]{6,})/gu;
const ADDRESS =
  /((?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/)(?!user(?:name)?:pass(?:word)?@)[^\s/@:]{0,80}:[^\s/@]{1,200}@/giu;
const ACCOUNT = /(?<![\p{L}\p{N}.:/-])(?!mailto:|sip:|xmpp:)[\w.-]{1,40}:[^\s/@:]{3,60}@(?=[\w-])/gu;

/** A quick check: most texts contain neither the name of a credential nor a header, and need no further search. */
const MENTIONS = new RegExp(NAMED, "iu");
/** Begins with the rarest character, which an engine finds faster than a name. */
const ASSIGNS = new RegExp(`[=:：](?<=${SETTING}.)`, "iu");
const STATES_PASSWORD = new RegExp(IS_PASSWORD, "iu");
const MENTIONS_PASSWORD = new RegExp(PASSWORD, "iu");
/** Without `-u`, which would make each of these as slow to find as two characters. */
const SENDS = /authoriz|cookie|bearer|basic|login|sshpass|mysql|mariadb/iu;
const IS_JOINED = new RegExp(`[-_](?<=(?:${PASSWORD}).)\\p{L}{3}`, "iu");

/** Words that may follow the name of a credential and describe it. */
const STATES = new Set(
  (
    "required wrong right correct incorrect invalid valid missing optional empty set unset stored hashed encrypted kept hidden reset changed rotated " +
    "expired revoked refused accepted rejected sent shown needed read written used unknown known safe weak strong long short new old true false null none undefined string number boolean " +
    "still now only also never always too so just there here gone what how why if no yes being been"
  ).split(" "),
);

export function hideAnnounced(text: string): string {
  const shown = text.includes("@")
    ? text.replace(ADDRESS, `$1${HIDDEN}@`).replace(ACCOUNT, `${HIDDEN}@`)
    : text;
  const isSent = text.includes("-u") || SENDS.test(text);
  const isNamed = MENTIONS.test(text);
  const beforeNames = isSent ? hideSent(shown) : shown;
  const beforeOptions = isNamed ? hideNamed(beforeNames) : beforeNames;
  const beforeSentences = isSent ? hideInCommands(beforeOptions) : beforeOptions;
  return isNamed && MENTIONS_PASSWORD.test(text) ? hideInSentences(beforeSentences) : beforeSentences;
}

function hideSent(text: string): string {
  return text.replace(HEADER, `$1${HIDDEN}`).replace(COOKIE, `$1${HIDDEN}`).replace(SCHEME, hideAfterScheme);
}

function hideNamed(text: string): string {
  const assigned = ASSIGNS.test(text) ? text.replace(ASSIGNED, hideValue) : text;
  return assigned.replace(OPTION, hideValue);
}

function hideInCommands(text: string): string {
  return text
    .replace(ACCOUNT_OPTION, `$1${HIDDEN}`)
    .replace(PASSWORD_OPTION, `$1${HIDDEN}`)
    .replace(NETRC, `$1${HIDDEN}`);
}

function hideInSentences(text: string): string {
  const shown = (IS_JOINED.test(text) ? text.replace(JOINED, `$1${HIDDEN}`) : text)
    .replace(LINE, (whole, name: string, value: string) =>
      ABOUT_PASSWORDS.test(value) || isSaid(value) ? whole : name + HIDDEN,
    )
    .replace(TOLD, hideTold);
  if (!STATES_PASSWORD.test(shown)) return shown;
  return shown.replace(TOLD_BEFORE, (whole, value: string, rest: string) =>
    isSaid(value) ? whole : HIDDEN + rest,
  );
}

/** A word is a key after `Bearer`; after `Basic`, and in small letters, it is prose. */
function hideAfterScheme(whole: string, scheme: string, value: string): string {
  const isProse = /^[\p{L}-]+[.:!?]?$/u.test(value) && !/^B(?:earer|EARER)/.test(scheme);
  return isProse ? whole : scheme + HIDDEN;
}

function hideValue(whole: string, name: string, value: string): string {
  const bare = value.replace(/^["'`]|["'`]$/g, "");
  if (isSaid(bare) || PLACEHOLDER.test(bare) || isCount(name, bare)) return whole;
  // `Longer than a token: code between backticks.`, and errors of operations: `token-create: name must not be empty`.
  if (/^(?:token(?:-create|-list|-revoke)?|credential): $/.test(name) && /^\p{L}+$/u.test(value))
    return whole;
  // The folder of a shell has the name of a password.
  if (/^pwd/i.test(name) && /^[/~]/.test(bare)) return whole;
  return name + value.replace(bare, () => HIDDEN);
}

/** An empty value or a placeholder. */
const PLACEHOLDER = /^(?:…|[\s=*.-]*$|[<{[(%]|\$(?:\d{1,2}|[\w{(]+[})]?)$)/;

/** Whether the value is a count: tokens are counted, passwords and codes are not. */
function isCount(name: string, value: string): boolean {
  return /token/i.test(name) && /^[\d.,]{1,12}[kKmM]?$/.test(value);
}

function hideTold(whole: string, name: string, value: string): string {
  const [first = ""] = value.split(/\s/, 1);
  const bare = first.replace(/^["'`(]+|["'`)]+$/g, "");
  if (isSaid(bare) || isCount(name, bare)) return whole;
  return name + HIDDEN;
}

function isSaid(word: string): boolean {
  const small = word.toLowerCase();
  return STATES.has(small) || FUNCTION_WORDS.has(small);
}
