/** Patterns of credentials and of the words before them. */

/** Words that announce a password in prose. What follows them may be an ordinary word. */
export const ANNOUNCES =
  /pass-?\s?(?:word|wort|wd|phrase|code|key)|\bpwd?\b|\bpins?\b|secret|credential|kennwort|mot de passe|contrase|senha|парол|密码|密碼|口令|パスワード|비밀번호|\blogins?\b/iu;
/** A value that names a credential, so the text next to it may be one. */
export const NAMES_CREDENTIAL =
  /passw|passphrase|passcode|passwd|pwd|secret|token|api.?key|access.?key|private.?key|credential|authoriz|bearer|cookie|(?:^|[_.-])(?:pass|pw|pin|key|auth|dsn)(?:$|[_.-])/i;
/** Options of commands, which any text may follow. */
export const FLAG = /(?:^|[\s/])--?\p{L}/u;
/** Prefixes of keys that services issue, since some keys look like names. */
export const ISSUED_KEY =
  /AKIA|ASIA|AIza|ya29|eyJ|gh[opsur]_|github_pat|glpat|xox[a-z]|xapp|\bsk[-_]|\b[prw]k_|whsec|npm_|pypi-|\bSG\.|\bhf_|dop_v|shpat|sq0|EAAC|\bAC[0-9a-f]{8}|-----BEGIN|\bBearer\b|\bBasic\s+\S{6}|AccountKey|SharedAccess/;

/** The replacement for hidden text. */
export const HIDDEN = "…";
/** 13 to 19 digits, as the numbers of cards and accounts have, in groups or not; never a date or the end of a UUID. */
export const LONG_NUMBER =
  /(?<!\d|[0-9a-f]{4}-[0-9a-f]{0,3})(?!(?:19|20)\d\d[-_. ]?\d\d[-_. ]?\d\d)\d(?:[ .-]?\d){12,18}(?!\d)/g;
/** Words that only connect others. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  "the and for that this with from are was were has have had not but its into than then can may will which when where you your our their there these those all one of to in is it as at by or on an be a i".split(
    " ",
  ),
);
/** Known file extensions. Any other extension may be part of a key. */
export const FILE_ENDING =
  /(?:\.(?:txt|md|rst|tex|csv|tsv|jsonl?|ya?ml|xml|html?|log|pdf|docx?|xlsx?|pptx?|odt|rtf|epub|png|jpe?g|gif|webp|svg|bmp|tiff?|heic|mp[34]|wav|mov|webm|zip|gz|tgz|tar|bz2|xz|zst|7z|key|pem|crt|pub|env|ini|toml|conf|cfg|sql|db|sqlite|parquet|py|ipynb|[cm]?[jt]sx?|sh|rb|go|rs|java|kt|swift|cs|php|c|h|cpp|eml|vcf|ics|bak|bin|dat)){1,2}$/i;
/** Words that may follow the word for a password in a name or a heading and are not one. */
export const ABOUT_PASSWORDS =
  /^(?:reset|change|forgot|recovery|policy|polic[a-z]+|rules?|manager|generator|strength|field|form|page|prompt|hash(?:er|ing|es)?|utils?|tests?|spec|guide|docs?|words?|store|service|util|input|validator|check(?:er)?|rotation|scan(?:ner|ning)?|sharing|management|example|template|sample|list|less|html?|md|txt|tsx?|jsx?|py|rb|go|rs|java|ya?ml|json|env|enc|gpg)$/i;
