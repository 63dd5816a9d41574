/** Each rule of `safe-to-show.ts` at its limit: the last text that it shows, and the next one that it hides. */
import { describe, expect, it } from "vitest";
import {
  announcesCredential,
  holdsCredentials,
  isCatchAllName,
  isIssuedKey,
  isKeyOfWords,
  isPlainCode,
  isPlainHead,
  isPlainIdentifier,
  isPlainName,
  isPlainSentence,
  isPlainValue,
  isSensitiveName,
  namesCredential,
} from "./safe-to-show.ts";

type Rule = (text: string) => boolean;

/** A rule matches all of the first list and none of the second. */
function holds(rule: Rule, yes: readonly string[], no: readonly string[]): void {
  expect(yes.filter((text) => !rule(text))).toEqual([]);
  expect(no.filter(rule)).toEqual([]);
}

const ELEVEN = "ridge tulip mango clock pearl sugar brick candle river stone paper".split(" ");
const NINE = ELEVEN.slice(0, 9).join(" ");
const TEN = ELEVEN.slice(0, 10).join(" ");

describe("names", () => {
  it("are sensitive by one of their words, however they are joined", () => {
    holds(
      isSensitiveName,
      [
        "pin",
        "pin1",
        "pin123",
        "PIN",
        "bearer",
        "cookies",
        "user_pin",
        "userPin",
        "APIKeyName",
        "HMACValue",
        "x.sid",
        "login2",
        "my token",
        "accesstoken",
        "kennwort",
        "HMAC",
        "sessions",
      ],
      ["spin", "opinion", "country", "pinned", "keyboard", "userful", "hashing", "1pin2x", "2pin", ""],
    );
  });

  it("hold credentials under any name of their own", () => {
    holds(
      holdsCredentials,
      [
        "auth",
        "Auth",
        "ssh_config",
        "apiKeys",
        "vault-data",
        "oauth",
        "dbCerts",
        "credentials",
        "passwords",
        "accesstoken",
        "kennwort",
      ],
      ["author", "country", "vaults2", "hash", "", "config"],
    );
  });

  it("may stand for anything", () => {
    holds(
      isCatchAllName,
      ["value", "note", "Value", "my_data", "inputText", "HTTPHeader", "env", "default", "stdin", "href"],
      ["values2", "country", "database", ""],
    );
  });

  it("name and announce credentials", () => {
    holds(namesCredential, ["DB_PASSWORD", "api_key"], ["country", ""]);
    holds(announcesCredential, ["the password is", "Password:"], ["the country is", ""]);
    holds(isIssuedKey, ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "AKIAIOSFODNN7EXAMPLE"], ["country", ""]);
  });

  it("are plain when every word of them is", () => {
    holds(
      isPlainName,
      [
        "a",
        "order total",
        "x-request-count",
        "a::b",
        "src/order-list.ts",
        "2024-01",
        "123456",
        "1.2.3",
        "name: value",
        "ß-123456,12",
        "2::123456-deadbeef",
        "at 10:20:30.40",
        "Password::reset",
        "rcです",
        "Größe",
        `${"order/".repeat(16)}last`,
      ],
      [
        "",
        `${"order/".repeat(16)}lasts`,
        "http://example",
        "a:b@c",
        "ab::note@order",
        "token:",
        "password:swordfish",
        "order/list=",
        "order/a1b2",
        "=",
        "a a a a",
        "card-list-open-done",
        "top/9f86d081",
        "0123456789",
        "12:34:56:78",
        "-flag",
        "src/-x",
        "password: swordfish",
        "password swordfish",
        "the password：swordfish",
        `${TEN}`,
        "abcd efgh ijkl mnop",
        "4111 1111 1111 1111",
        "order 4111 111111 1111",
        "xkcdqwrtzpsd",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
      ],
    );
  });
});

describe("code", () => {
  it("is plain when its names are", () => {
    holds(
      isPlainCode,
      [
        "function parse(text: string): Tree",
        "int f(int x, char *y)",
        "def größe(a, b=…)",
        "x = 123456789",
        "",
        "f(名前)",
      ],
      ["x = 1234567890", "f(“text”)", "let 9f86d081884c7d65", TEN, "say abcd efgh ijkl mnop now"],
    );
  });

  it("has identifiers of short words of any letters", () => {
    holds(
      isPlainIdentifier,
      [
        "zzz",
        "strncpy",
        "strncpyx",
        "Strncpy",
        "STRNCPY",
        "strncp12",
        "ABCDEF12",
        "_private",
        "a_b_c",
        "größe",
        "x".repeat(8),
      ],
      [
        "strncpyxw",
        "order_9f86d081",
        "ézzz",
        "aBaB",
        "cafe2024",
        "abababababababab",
        "ab東京list",
        "strnCPy1x2",
        "strncp123x",
        `${"ab_".repeat(33)}ab`,
        "xkcdqwrtzpsd",
        "9f86d081884c",
        "AKIAIOSFODNN7EXAMPLE",
      ],
    );
    expect(isPlainIdentifier(`${"ab_".repeat(33)}a`)).toBe(true);
  });

  it("has heads whose name may be that of a password", () => {
    holds(
      isPlainHead,
      [
        "def reset_password(user):",
        "def reset_password (user):",
        "function password",
        "The plain words.",
        "fun a.b?(c)",
      ],
      [
        "def reset_password(password=swordfish1x)",
        "function xkcdqwrtzpsd(a)",
        "password swordfish x9y8z7w6v5",
        "set password now",
        "x=password",
        "password:",
        `def ${TEN}(a)`,
      ],
    );
  });
});

describe("runs of letters and digits", () => {
  it("are plain as words with few numbers", () => {
    holds(
      isPlainName,
      [
        "sha256",
        "utf8",
        "v1beta1",
        "v10rc2",
        "v1alpha12",
        "OAuth2Client",
        "parseXMLFile",
        "top123456",
        "x1",
        "a1b",
        "getUserName",
        "getMaxOne",
        "get1Max",
        "id1Order",
        "listcafe1234",
        "cafe1234list",
        "oneTwoSixTenOneTwoSixTen",
        "InformationInformationInformationWritten",
        "ISO8601",
        "deadbeef",
        "xyz",
      ],
      [
        "top1234567",
        "v100rc2",
        "v1gamma1",
        "v1beta123",
        "a1b2",
        "topv1beta1",
        "getMaxId",
        "id1List",
        "oneTwoSixTenOneTwoSixTenOne",
        "InformationInformationInformationOrdering",
        "training-painting-children-standing",
        "ab1cd2ef",
        "1234abcd",
        "9f86d081",
        "deadbeefdeadbeef",
        "aBcDeFgH",
        "AbCdEf",
        "aBcD",
        "aXbYcZdWeV",
        "a1BcDe",
        `a${"b".repeat(40)}`,
      ],
    );
  });

  it("are no mixture of digits and short words", () => {
    holds(isPlainName, ["HTTP2Server", "Web3Client"], ["xA1bC", "aB3cD", "a1Bc", "aB1Cd2E"]);
  });
});

describe("values", () => {
  it("are a few plain words, a number, a version or a date", () => {
    holds(
      isPlainValue,
      [
        "open",
        "one two three four five six",
        "abc",
        "123456789",
        "-123456789.123456789012",
        "+5",
        "1.2",
        "v1.2.3.4",
        "9999.9999.9999",
        "2024-01-01",
        "24/1/1",
        "01.02.2024",
        "2024-01-01 10:00",
        "2024-01-01T10:00:00.123456789+02:00",
        "2024-01-01T10:00:00,5Z",
        "2024-01-01T10:00:00+0200",
        "2024-01-01+02:00",
        "Q1 2024",
        "utf8",
        "sha256",
        "note: done",
        "en-US",
        "it's fine",
        "q123456",
        "123456B",
        "2024-01-01T10:00:00Z",
        "2024-01-01T10:00:00",
        "information information information open",
      ],
      [
        "",
        "one two three four five six seven",
        "a ".repeat(21),
        "1234567890",
        "1.1234567890123",
        "zzz(é",
        "1.10:00",
        "1.=",
        "9f86d081.01",
        "open a1b2c3d4",
        "information information information order",
        "order 2024-01-01 10:00",
        "2024-01-01 10:00 order",
        "order, card list open done",
        "card  list  open  done",
        "hunter2",
        "Summer2024",
        "2024Summer",
        "abc1234",
        "a=b",
        "a@b",
        "a?b",
        "50%",
        "a\\b",
        "`a`",
        '"a"',
        "a|b",
        "$a",
        "~a",
        "^a",
        "a;b",
        "a:b",
        "a//b",
        "--password",
        "my password",
        "...",
        "123 456 789 012",
        "1234 5678 9012 3",
        "abc-def-ghi-jkl",
        "abcd efgh ijkl mnop",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
      ],
    );
    expect(isPlainValue("1234-5678-9012")).toBe(true);
    expect(isPlainValue("one-two-six")).toBe(true);
  });

  it("are no groups of one length from three to eight", () => {
    holds(isPlainSentence, [], ["abc-def-ghi-jkl", "abcdefgh-abcdefgh-abcdefgh-abcdefgh"]);
    expect(isPlainSentence("information-information-information-information")).toBe(true);
    expect(isPlainSentence("one-two-six-four")).toBe(true);
  });
});

describe("sentences", () => {
  it("are plain when every word of them is, and nothing is announced", () => {
    holds(
      isPlainSentence,
      [
        "The exit status is zero.",
        "zzz",
        "xkc=",
        "1234567.",
        "9f86d081://order",
        "See https://example.org/docs for more.",
        "It takes 123456789 steps.",
        "a = b",
        "x9y",
        "1234 5678 9012 are three groups.",
        "a==b",
        "これは普通の文です。",
        "यह एक साधारण वाक्य है।",
        NINE,
        "",
      ],
      [
        "The password is swordfish.",
        "It asks for the password.",
        "The xapp file is here.",
        "Run it with --verbose on.",
        "Clone ssh://git@example.org/list now.",
        "See https://example.org/?page= now.",
        "(9f86d081://order)",
        "zzzq",
        "(card-list-open-done)",
        "zzz(é",
        "order/a1b2c3d4",
        "note-01東京zzz",
        "これはorderとa1b2c3d4です",
        "It takes 1234567890 steps.",
        "Set key=value now.",
        "See https://me:pw@example.org now.",
        "See https://example.org/?token=swordfish now.",
        "a?b=c&d=e",
        "The id is 9f86d081884c7d65.",
        "Run it with --password swordfish.",
        "It is xkcdqwrtzpsd today.",
        "これは9f86d081884c7d65です。",
        TEN,
        `Write ${TEN} down`,
        "use abcd efgh ijkl mnop now",
        "card 4111 1111 1111 1111 is",
        "key ghp_0123456789abcdefghijABCDEFGHIJ012345",
      ],
    );
  });

  it("are keys of words when ten words in a row join nothing", () => {
    holds(
      isKeyOfWords,
      [
        TEN,
        TEN.replaceAll(" ", ", "),
        `x ${TEN}`,
        "abcd efgh ijkl mnop",
        "x abcd efgh ijkl mnop.",
        "abcd efgh ijkl mnop, x",
        "1234567890123",
        "1234 567890 123",
        "1-2-3-4-5-6-7-8-9-0-1-2-3",
      ],
      [
        NINE,
        `${NINE} the ${ELEVEN[9]}`,
        `${NINE} ${ELEVEN[9]?.toUpperCase()}`,
        `${NINE} ab`,
        `${NINE} abcdefghi`,
        "abcd efgh ijkl",
        "abcd efgh ijkl mnopq",
        "xabcd efgh ijkl mnop",
        "abcd efgh ijkl mnop!",
        "123456789012",
        "1234  567890  123",
        "1,234,567,890,123",
      ],
    );
  });
});
