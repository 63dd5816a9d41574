/**
 * Words by which people mark what matters: rules, decisions, corrections, open work, failures, findings. The lists
 * are short on purpose: a cue only raises a sentence, it never decides alone, and the
 * anchors of the sentence cover the rest. English, German, French, Spanish, Chinese, Japanese, Korean. Phrases of up to three words
 * are written with spaces; Chinese, Japanese and Korean cues are found anywhere in a run, because endings vary.
 */

export const CUE = {
  /** What must, must not or may only be done. */
  constraint: 1,
  decision: 2,
  /** Retracts or replaces an earlier statement. */
  correction: 4,
  /** Work, questions and promises that are not settled. */
  open: 8,
  error: 16,
  /** A cause, a repair, an outcome. */
  finding: 32,
  /** A request to remember, or a definition. */
  notable: 64,
} as const;

export type CueName = keyof typeof CUE;

export const SPACED_CUES: Readonly<Record<CueName, string>> = {
  constraint:
    "never, must, mustn't, don't, always, only when, only if, not allowed, may not, forbidden, " +
    "prohibited, required, mandatory, make sure, read-only, at most, no longer than, without asking, under no, rule, rules, " +
    "nie, niemals, muss, müssen, darf nicht, dürfen nicht, darf nur, verboten, immer, auf keinen, bitte nicht, keinesfalls, " +
    "jamais, doit, doivent, ne pas, toujours, interdit, interdite, obligatoire, il faut, ne faut, uniquement, " +
    "nunca, jamás, debe, deben, siempre, prohibido, prohibida, obligatorio, hay que, no debe, únicamente",
  decision:
    "decision, decisions, decided, decide, agreed, we will, we'll, let's, go with, settled, approved, from now, chose, chosen, " +
    "entscheidung, entschieden, beschlossen, vereinbart, ab jetzt, wir nehmen, " +
    "décision, décidé, convenu, choisi, désormais, on prend, " +
    "decisión, decidido, acordado, elegido, a partir, vamos a",
  correction:
    "correction, corrected, instead of, instead, rather than, was wrong, were wrong, wrong, mistake, reversed, revised, " +
    "no longer, cancelled, canceled, retract, supersedes, replaces, turned out, off the table, swapped, actually, " +
    "korrektur, korrigiert, statt, sondern, falsch, irrtum, doch nicht, rückgängig, stattdessen, " +
    "corrigé, corrige, au lieu, erreur, plutôt que, finalement, annulé, " +
    "corrección, corregido, en lugar, en vez, equivocado, sino, ya no, anulado",
  open:
    "todo, to do, next, open, pending, remaining, still, need to, needs to, later, tomorrow, tonight, waiting, blocked, " +
    "follow up, remember to, remind, unresolved, not yet, promised, due, plan, " +
    "offen, noch, nächste, nächster, später, morgen, ausstehend, " +
    "reste, à faire, prochain, prochaine, ensuite, demain, en attente, " +
    "pendiente, falta, próximo, mañana, siguiente, por hacer",
  error:
    "error, errors, failed, fails, failing, failure, exception, traceback, fatal, panic, refused, denied, not found, no such, " +
    "timeout, timed out, broken, bug, crash, crashed, invalid, unable, aborted, conflict, rejected, " +
    "fehler, fehlgeschlagen, abgestürzt, kaputt, échec, échoué, exception, falló, fallo, roto",
  finding:
    "fixed, fix, solved, resolved, cause, caused, because, reason, confirmed, found, passed, works, result, means, explains, proves, " +
    "behoben, ursache, grund, gelöst, weil, bestätigt, ergebnis, corrigée, cause, résolu, parce, confirmé, résultat, " +
    "arreglado, causa, resuelto, porque, confirmado, resultado",
  notable:
    "remember, note, noted, important, keep, before i, for your, calendar, serial, label, order number, password, port, " +
    "address, deadline, the name, called, prefer, prefers, yesterday, last week, last month, last year, birthday, allergic, " +
    "wichtig, merken, notiz, beachte, important, noter, rappelle, importante, recuerda, anota",
};

export const UNSPACED_CUES: Readonly<Record<CueName, string>> = {
  constraint:
    "禁止 必须 必須 不要 不得 不可 不能 切勿 务必 只能 绝对 絶対 必ず ないで してはいけ してはならない なければなら 決して " +
    "절대 금지 반드시 마세요 하지마 말아 항상 해야",
  decision:
    "决定 決定 决策 确定 采用 選擇 选择 同意 決めた 決めまし にします ことにし 採用 결정 정했 하기로 합의",
  correction:
    "而不是 不是 而是 更正 纠正 错了 改为 改成 ではなく じゃなく 訂正 間違 誤り 取り消 変更 아니라 정정 잘못 틀렸 바꿨 변경",
  open: "待办 下一步 接下来 尚未 还没 明天 稍后 次は 次に まだ 明日 後で 残り 予定 これから 待ち 다음 아직 내일 나중 남은 예정",
  error: "错误 錯誤 失败 失敗 异常 異常 报错 崩溃 エラー 例外 不具合 故障 壊れ 오류 에러 실패 예외",
  finding:
    "原因 结果 結果 因为 解决 修复 确认 確認 わかりまし 判明 直りまし 直しまし 원인 결과 해결 확인 때문",
  notable: "重要 注意 记住 記住 请记 大事 お願い 覚え 忘れ シリアル 番号 중요 기억 주의 번호",
};
