/** How credentials, and what stands before them, are spelled. */

/** Words that announce a password in prose. What follows them may be an ordinary word. */
export const ANNOUNCES =
  /pass-?\s?(?:word|wort|wd|phrase|code|key)|\bpwd?\b|\bpins?\b|secret|credential|kennwort|mot de passe|contrase|senha|парол|密码|密碼|口令|パスワード|비밀번호|\blogins?\b/iu;
/** A value that names a credential: whatever stands beside it may be one. */
export const NAMES_CREDENTIAL =
  /passw|passphrase|passcode|passwd|pwd|secret|token|api.?key|access.?key|private.?key|credential|authoriz|bearer|cookie|(?:^|[_.-])(?:pass|pw|pin|key|auth|dsn)(?:$|[_.-])/i;
/** Options of commands: what follows one may be anything. */
export const FLAG = /(?:^|[\s/])--?\p{L}/u;
/** Keys that services issue, by how they begin: some are spelled like names. */
export const ISSUED_KEY =
  /AKIA|ASIA|AIza|ya29|eyJ|gh[opsur]_|github_pat|glpat|xox[a-z]|xapp|\bsk[-_]|\b[prw]k_|whsec|npm_|pypi-|\bSG\.|\bhf_|dop_v|shpat|sq0|EAAC|\bAC[0-9a-f]{8}|-----BEGIN|\bBearer\b|\bBasic\s+\S{6}|AccountKey|SharedAccess/;
