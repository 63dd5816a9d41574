/**
 * Credentials in the forms found in files, each with the part that must never be shown. None of them is valid: they
 * are random, or taken from the vendors' documentation, and assembled here so that no scanner reports them.
 */
export interface PlantedSecret {
  /** The text as written in a file. */
  readonly text: string;
  /** The part that must not be shown. */
  readonly secret: string;
}

const WORD_PASSWORDS = ["swordfish", "hunter2", "Sommer2024!", "correct horse battery staple", "letmein"];
const R = "wJalrXUtnFEMIK7MDENGbPxRfiCYzq0v9TbKpLsW3eRxYuHj";
const HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const BASE64 = "dGhpcyBpcyBub3QgYSByZWFsIHNlY3JldCBidXQgaXQgbG9va3MgbGlrZSBvbmU";

function at(prefix: string, length: number, from = 0): PlantedSecret {
  const secret = `${prefix}${R.slice(from, from + length)}`;
  return { text: secret, secret };
}

/** Bare credentials, as whole values. */
const BARE: readonly PlantedSecret[] = [
  { text: "AKIAIOSFODNN7EXAMPLE", secret: "AKIAIOSFODNN7EXAMPLE" },
  { text: "ASIAQWERTYUIOPASDFGH", secret: "ASIAQWERTYUIOPASDFGH" },
  { text: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  ...[
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "npm_",
    "hf_",
    "dop_v1_",
    "shpat_",
    "pypi-",
  ].map((prefix) => at(prefix, 36)),
  ...["xoxb-1234567890-", "xoxp-", "xapp-1-", "sk_live_", "sk_test_", "pk_live_", "rk_live_", "whsec_"].map(
    (prefix) => at(prefix, 24, 3),
  ),
  ...[
    "sk-",
    "sk-proj-",
    "sk-ant-api03-",
    "sk-or-v1-",
    "AIza",
    "ya29.",
    "SG.",
    "EAACEdEose0cBA",
    "sq0atp-",
  ].map((prefix) => at(prefix, 30, 5)),
  { text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${R.slice(0, 43)}`, secret: "eyJhbGciOiJIUzI1NiJ9" },
  ...[16, 24, 32, 40, 64].map((length) => ({ text: HEX.slice(0, length), secret: HEX.slice(0, length) })),
  { text: HEX.slice(0, 40).toUpperCase(), secret: HEX.slice(0, 40).toUpperCase() },
  ...[20, 32, 44, 63].map((length) => ({
    text: `${BASE64.slice(0, length)}==`,
    secret: BASE64.slice(0, length),
  })),
  { text: "550e8400-e29b-41d4-a716-446655440000", secret: "550e8400-e29b-41d4-a716-446655440000" },
  { text: "XKCDQ-PLMNB-VTRWZ-HGFDS-QAZWX", secret: "PLMNB-VTRWZ" },
  { text: "lwzb qaxd nmoe vury", secret: "qaxd nmoe" },
  { text: "qzvkxjwplmtrbgnhdsfc", secret: "qzvkxjwplmtrbgnhdsfc" },
  { text: "Tr0ub4dor&3Xy9!q", secret: "Tr0ub4dor&3" },
  { text: "4111111111111111", secret: "4111111111111111" },
  ...[
    "4111-1111-1111-1111",
    "4111 1111 1111 1111",
    "4111.1111.1111.1111",
    "3782 822463 10005",
    "3782-822463-10005",
  ].map((text) => ({ text, secret: text })),
  { text: "DE89370400440532013000", secret: "DE89370400440532013000" },
  {
    text: "legal winner thank year wave sausage worth useful legal winner thank yellow",
    secret: "winner thank year wave",
  },
  { text: "$2b$12$KIXQ4vZ8yYw3e1rT5uI7oO0pA9sD8fG7hJ6kL5zX4cV3bN2mM1qWe", secret: "KIXQ4vZ8yYw3e1rT5uI7oO" },
  { text: "AAAAB3NzaC1yc2EAAAADAQABAAABgQC7vbqajDhA", secret: "AAAAB3NzaC1yc2EAAAADAQ" },
];

/** Credentials with surrounding text. */
const WRITTEN: readonly PlantedSecret[] = [
  { text: `Authorization: Bearer ${R.slice(0, 30)}`, secret: R.slice(0, 30) },
  { text: `authorization: bearer ${R.slice(2, 30)}`, secret: R.slice(2, 30) },
  { text: "Authorization: Basic YWRtaW46aHVudGVyMg==", secret: "YWRtaW46aHVudGVyMg" },
  { text: `Authorization: Token ${HEX.slice(0, 40)}`, secret: HEX.slice(0, 40) },
  { text: `Authorization: ApiKey ${R.slice(1, 21)}`, secret: R.slice(1, 21) },
  { text: `X-Api-Key: ${R.slice(4, 28)}`, secret: R.slice(4, 28) },
  { text: `Cookie: session=${R.slice(6, 30)}; theme=dark`, secret: R.slice(6, 30) },
  { text: `Set-Cookie: sid=${HEX.slice(0, 24)}; HttpOnly`, secret: HEX.slice(0, 24) },
  { text: `-----BEGIN RSA PRIVATE KEY----- ${R}`, secret: R },
  { text: `-----BEGIN OPENSSH PRIVATE KEY----- ${BASE64}`, secret: BASE64 },
  { text: "MIIEpAIBAAKCAQEA7vbqajDhAq8Zk1mXc5tYw9pLr3sVn2uB", secret: "MIIEpAIBAAKCAQEA7vbqajDhAq8" },
  ...["postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqp", "https", "ftp", "smtp"].map(
    (scheme) => ({
      text: `${scheme}://admin:swordfish@db.example.com/app`,
      secret: "swordfish",
    }),
  ),
  { text: "jdbc:postgresql://db.example.com/app?user=admin&password=swordfish", secret: "swordfish" },
  { text: `https://example.com/hook?token=${R.slice(3, 25)}`, secret: R.slice(3, 25) },
  { text: "https://example.com/login?code=swordfish", secret: "swordfish" },
  {
    text: "https://hooks.slack.com/services/T00000000/B00000000/XqZrWvTpLmNbKsJdHgFcYtRe",
    secret: "XqZrWvTpLmNbKsJdHgFcYtRe",
  },
  { text: "Server=db;Database=app;User Id=sa;Password=swordfish;", secret: "swordfish" },
  {
    text: `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${BASE64.slice(0, 40)}==`,
    secret: BASE64.slice(0, 40),
  },
  { text: `?sv=2022-11-02&sig=${BASE64.slice(0, 30)}%3D`, secret: BASE64.slice(0, 30) },
  ...[
    "AWS_SECRET_ACCESS_KEY",
    "DB_PASSWORD",
    "API_TOKEN",
    "SECRET_KEY",
    "export GITHUB_TOKEN",
    "PGPASSWORD",
  ].map((name) => ({
    text: `${name}=swordfish`,
    secret: "swordfish",
  })),
  ...["db_password", "api_token", "secret", "passwd", "pwd", "client_secret", "aws_secret_access_key"].map(
    (name) => ({
      text: `${name}=swordfish`,
      secret: "swordfish",
    }),
  ),
  ...[
    "--password=swordfish",
    "--password swordfish",
    "--ssh-key=swordfish",
    "--token=swordfish",
    "--identity-file=swordfish",
    "-pswordfish --password=x",
  ].map((text) => ({ text, secret: "swordfish" })),
  ...[
    "password: swordfish",
    "Password is swordfish",
    "passphrase swordfish",
    "the secret is swordfish",
    "pw: swordfish",
    "Passwort: swordfish",
    "mot de passe : swordfish",
    "contraseña: swordfish",
    "密码：swordfish",
    "パスワード swordfish",
    "пароль: swordfish",
  ].map((text) => ({ text, secret: "swordfish" })),
  ...WORD_PASSWORDS.map((password) => ({ text: `"password": "${password}"`, secret: password })),
  { text: "curl -u admin:swordfish https://example.com", secret: "swordfish" },
  { text: "sshpass -p swordfish ssh host", secret: "swordfish" },
  { text: "machine example.com login admin password swordfish", secret: "swordfish" },
  { text: "admin:$apr1$Zx8vQwLp$kR5tYnM2bVcXsDfGhJkLz0", secret: "Zx8vQwLp" },
  { text: "//registry.example/:_authToken=npm_abcdefghijklmnopqrst", secret: "npm_abcdefghijklmnopqrst" },
];

export const PLANTED_SECRETS: readonly PlantedSecret[] = [...BARE, ...WRITTEN];
