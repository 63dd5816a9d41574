/**
 * Whether a message needs a recall. It is skipped only if it is entirely a command, an acknowledgement or
 * empty: a rule on the first word alone would skip "find out what my wife likes". In doubt, memory is searched.
 */
import { hasMemoryCue } from "./memory-cues.ts";

interface SkipDecision {
  readonly skip: boolean;
  readonly rule: "memory-cue" | "question" | "empty" | "command" | "filler" | "signal" | "content";
  readonly reason: string;
}

/** Messages shorter than this are skipped when they consist of filler words. */
const MIN_LENGTH = 15;
/** The same for Chinese, Japanese and Korean. */
const MIN_LENGTH_UNSPACED = 18;

/** A prefix that hosts add: the name of a schedule, a time. */
const ENVELOPE = /^(?:\s*\[(?:cron:[^\]]*|(?:mon|tue|wed|thu|fri|sat|sun)\w*[ ,]+\d{4}-[^\]]*)\])+\s*/i;
const SIGNAL = /^(?:HEARTBEAT(?:_OK)?|\[System\b[^\]]*\]|ping|pong)[\s.!]*$/i;

/** A slash and a name that no other slash follows: `/compact now`, not `/etc/hosts`. */
const SLASH_COMMAND = /^\/[a-z][\w-]*(?:\s[^\n?]*)?$/i;

/** Programs, each with the words that may follow it in a command without being a flag, a path or a quotation. */
const PROGRAMS: Readonly<Record<string, string>> = {
  git: "status add commit push pull fetch log diff checkout switch branch merge rebase stash clone reset restore show tag remote origin upstream main master dev develop HEAD",
  npm: "install ci run test start build publish audit outdated update init exec lint dev",
  pnpm: "install run test start build add remove update lint dev",
  yarn: "install run test start build add remove upgrade lint dev",
  pip: "install uninstall list freeze show upgrade",
  docker: "ps build run images pull push compose up down logs exec stop start restart rm prune",
  cargo: "build run test check fmt clippy add bench",
  make: "all build test clean install check lint run",
  go: "build test run mod tidy vet",
  run: "tests build it again all lint the",
  build: "it again all project the",
  test: "it again all",
  ls: "",
  cd: "",
  pwd: "",
  cat: "",
  grep: "",
  find: "",
  curl: "",
  mkdir: "",
  rm: "",
  cp: "",
  mv: "",
  chmod: "",
};
/** A flag, a path or a file, an address, a quotation, a variable, a pipe or a redirection. */
const ARGUMENT =
  /^(?:-{1,2}[\w-]+(?:=\S*)?|\.{1,2}|~|\S*[/\\]\S*|[\w-]+\.[a-z]\w{0,4}|"[^"]*"|'[^']*'|\$\w+|[|<>&;]+|\*\S*)$/;

const FILLER = new Set(
  [
    "yes yeah yep yup no nope ok okay k sure fine right correct exactly great good nice cool perfect awesome thanks thank you thx ty",
    "please go on ahead continue proceed next do it that this keep going try again retry stop wait done and so then now also just sounds looks lgtm got",
    "hi hello hey morning bye lol haha hmm hm oh ah wow test testing debug",
    "ja nein danke bitte weiter genau gut super passt mach das noch mal nochmal hallo tschüss klar stimmt",
    "oui non merci continue vas-y bien parfait salut bonjour sí si gracias vale sigue adelante bien hola claro",
    "sim não obrigado obrigada certo continua olá grazie va bene avanti sì ciao да нет спасибо хорошо ок дальше продолжай привет",
  ]
    .join(" ")
    .split(" "),
);
const UNSPACED_FILLER =
  /^(?:好的?|嗯+|是的?|对的?|不是|不|行|可以|谢谢你?|多谢|继续|下一步|收到|明白了?|知道了|没问题|你好|はい|いいえ|ありがとう(?:ございます)?|続けて(?:ください)?|了解(?:です)?|うん|こんにちは|네|예|아니요?|응|고마워요?|감사합니다|계속(?:해)?|좋아요?|알겠(?:어요|습니다)|안녕하세요)[。！!.~～\s]*$/u;

export function decideSkip(message: string): SkipDecision {
  const text = message.normalize("NFC").replace(ENVELOPE, "").trim();
  if (hasMemoryCue(text)) return look("memory-cue", "It refers to the past or to the person.");
  if (!/[\p{L}\p{N}]/u.test(text)) return skipped("empty", "It has no letters or digits.");
  if (SIGNAL.test(text)) return skipped("signal", "It is a signal from a program.");
  if (/[?？]\s*$/.test(text)) return look("question", "It is a question.");
  if (isCommand(text)) return skipped("command", "All of it is a command.");
  if (isFiller(text)) return skipped("filler", "All of it is an acknowledgement.");
  return look("content", "It has content.");
}

function look(rule: SkipDecision["rule"], reason: string): SkipDecision {
  return { skip: false, rule, reason };
}

function skipped(rule: SkipDecision["rule"], reason: string): SkipDecision {
  return { skip: true, rule, reason };
}

function isCommand(text: string): boolean {
  if (SLASH_COMMAND.test(text)) return true;
  if (text.includes("\n")) return false;
  const [program = "", ...rest] = (text.replace(/^\$\s+/, "").match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map(
    String,
  );
  const name = program === "sudo" ? (rest.shift() ?? "") : program;
  const words = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name]?.split(" ") : undefined;
  if (words === undefined) return false;
  return rest.every((argument) => words.includes(argument.replace(/[.!]$/, "")) || ARGUMENT.test(argument));
}

function isFiller(text: string): boolean {
  if (text.length < MIN_LENGTH_UNSPACED && UNSPACED_FILLER.test(text)) return true;
  const words = text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  const isShort = text.length < MIN_LENGTH || words.length <= 3;
  return isShort && words.every((word) => FILLER.has(word));
}
