import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  isPlainCode,
  isPlainHead,
  isPlainIdentifier,
  isPlainName,
  isPlainSentence,
  isPlainValue,
  isSensitiveName,
} from "../../../text/credentials/safe-to-show.ts";
import { exploreText } from "./testing/explore-text.ts";
import { PLANTED_SECRETS, type PlantedSecret } from "./testing/planted-secrets.ts";

/** A file of each kind, with the text at every position where such a file may contain it. */
const FILES: Readonly<Record<string, (text: string) => string>> = {
  "a.json": (text) =>
    JSON.stringify({
      title: "Settings",
      status: text,
      nested: { label: text, list: [text, text] },
      [text]: 1,
    }),
  "b.json": (text) =>
    JSON.stringify([
      ...rows(12, (i) => ({ id: i, kind: text, state: "open", password: text, api_key: text })),
    ]),
  "pairs.json": (text) =>
    JSON.stringify(rows(6, (i) => ({ name: i % 2 ? "DB_PASSWORD" : "region", setting: text }))),
  "c.jsonl": (text) => rows(9, (i) => JSON.stringify({ id: i, state: text, token: text })).join("\n"),
  "d.csv": (text) =>
    `id,state,label\n${rows(12, (i) => `${i},open,"${text.replaceAll('"', '""')}"`).join("\n")}\n`,
  "no-header.csv": (text) => rows(8, (i) => `${i},"${text.replaceAll('"', '""')}",x`).join("\n"),
  "header.csv": (text) => `"${text.replaceAll('"', '""')}",count\n1,2\n3,4\n`,
  "e.tsv": (text) => `id\tstate\n${rows(9, (i) => `${i}\t${text}`).join("\n")}`,
  "f.yaml": (text) =>
    `title: Settings\nstate: ${text}\nlist:\n  - ${text}\n  - ${JSON.stringify(text)}\nnested:\n  ${text}: 1\n  block: |\n    ${text}\n`,
  "inside.json": (text) =>
    JSON.stringify({
      credentials: { alice: text, list: [text], deep: { bob: text } },
      Keys: { first: { id: text } },
    }),
  "secret.yaml": (text) =>
    `kind: Secret\nmetadata:\n  name: web\nstringData:\n  first: ${JSON.stringify(text)}\n`,
  "inside.xml": (text) =>
    `<?xml version="1.0"?><a><credentials><alice>${xml(text)}</alice><b c="${xml(text)}"/></credentials></a>`,
  "pairs.xml": (text) =>
    `<?xml version="1.0"?><a>${rows(3, () => `<add name="pw" is="${xml(text)}"/>`).join("")}</a>`,
  "announced.md": (text) =>
    `# Notes\n\n## Passwords\n\nThese are in use today by all of us.\n- ${text}\n- ${text} for the other one\n`,
  "next-line.log": (text) =>
    rows(9, (i) => `2024-01-01 10:00:0${i} INFO asked:\n${text}\nand went on`).join("\n"),
  "g.xml": (text) =>
    `<?xml version="1.0"?><root xmlns:x="${xml(text)}">${rows(6, () => `<item state="${xml(text)}">${xml(text)}</item>`).join("")}</root>`,
  "h.html": (text) =>
    `<!DOCTYPE html><html><body><h1>${xml(text)}</h1><p title="${xml(text)}">${xml(text)}</p></body></html>`,
  "i.log": (text) =>
    rows(9, (i) => `2024-01-01 10:00:0${i} ERROR [main] app.Server: failed ${text}`).join("\n"),
  "j.log": (text) => rows(9, (i) => `Jan  1 10:00:0${i} host app[${i}]: ${text} was used`).join("\n"),
  "k.ts": (text) =>
    `import x from ${JSON.stringify(text)};\nexport const label = ${JSON.stringify(text)};\nexport function f(a = ${JSON.stringify(text)}): void {}\n// ${text}\nexport type T = ${JSON.stringify(text)};\nclass A { b = ${JSON.stringify(text)}; }\n`,
  "exports.js": (text) =>
    `const a = require(${JSON.stringify(text)});\nexport * from ${JSON.stringify(text)};\nexport { b as c } from ${JSON.stringify(text)};\nexports.d = ${JSON.stringify(text)};\nmodule.exports = { ${JSON.stringify(text)}: 1, e: ${JSON.stringify(text)}, f(g = ${JSON.stringify(text)}) {} };\nexport default ${JSON.stringify(text)};\nexport function login(user, password = ${JSON.stringify(text)}) {}\n`,
  "namespaces.ts": (text) =>
    `declare module ${JSON.stringify(text)} { export const a: ${JSON.stringify(text)}; }\nexport namespace N { export enum E { A = ${JSON.stringify(text)}, ${JSON.stringify(text)} = 1 } }\n`,
  "nested.rb": (text) =>
    `module A\n  module B\n    class C < Struct.new(${JSON.stringify(text)})\n      D = ${JSON.stringify(text)}\n      def e(f = ${JSON.stringify(text)}, password: ${JSON.stringify(text)}); end\n      define_method(${JSON.stringify(text)}) {}\n    end\n  end\nend\n`,
  "Nested.java": (text) =>
    `package a;\npublic class A {\n  @Named(${JSON.stringify(text)}) static class B { String c = ${JSON.stringify(text)}; }\n  enum D { E(${JSON.stringify(text)}); }\n}\n`,
  "nested.cs": (text) =>
    `namespace A;\npublic class B {\n  [Named(${JSON.stringify(text)})] public class C { string D = ${JSON.stringify(text)}; }\n  public record E(string F = ${JSON.stringify(text)});\n}\n`,
  "nested.php": (text) =>
    `<?php\nnamespace A;\n#[Named(${JSON.stringify(text)})]\nenum B: string { case C = ${JSON.stringify(text)}; }\nfunction d($e = ${JSON.stringify(text)}, $password = ${JSON.stringify(text)}) {}\n`,
  "values.go": (text) =>
    `package a\n\nconst A = ${JSON.stringify(text)}\nvar (\n\tB = ${JSON.stringify(text)}\n\tC string = ${JSON.stringify(text)}\n)\ntype D struct { E string ${JSON.stringify(text)} }\ntype F interface { G() }\n`,
  "values.rs": (text) =>
    `pub const A: &str = ${JSON.stringify(text)};\npub static B: &str = ${JSON.stringify(text)};\n#[doc = ${JSON.stringify(text)}]\npub fn c(password: &str) {}\n`,
  "broken.py": (text) => `def f(a='${text}, password=${text}):\n    return "${text}\nclass B:\n  pass\n`,
  "broken.ts": (text) =>
    `export function f(a = '${text}, password = ${text}): void {}\nexport class A extends "${text} {}\nexport const b: ${text} = 1;\nmodule.exports = { ${text} };\nexport { ${text} };\n`,
  "broken.rb": (text) =>
    `module A\n  class B < ${text}\n    def c(d = "${text}, ${text})\n    end\n  end\nend\n`,
  "Broken.java": (text) =>
    `package ${text};\nclass A {\n  enum B { ${text} }\n  class C extends ${text} {}\n  void d(String e = "${text}) {}\n}\n`,
  "broken.go": (text) =>
    `package a\nconst A ${text}\nvar B = "${text}\ntype C ${text}\nfunc d(e ${text}) {}\n`,
  "broken.php": (text) =>
    `<?php\nnamespace ${text};\nclass A extends ${text} {}\nfunction b($c = '${text}) {}\n`,
  "underlined.md": (text) => `Notes\n=====\n\n${text}\n------\n\nThe system reads its settings from here.\n`,
  "l.py": (text) =>
    `import os\nLABEL = ${JSON.stringify(text)}\ndef f(a=${JSON.stringify(text)}, b: str = ${JSON.stringify(text)}):\n    """${text.replaceAll('"', "'")}"""\n    return a\n`,
  "m.sh": (text) => `#!/bin/bash\nsource ./${text}\n${text}\nrun() {\n  echo ${JSON.stringify(text)}\n}\n`,
  "n.kt": (text) =>
    `import a.b\nfun f(a: String = ${JSON.stringify(text)}) {}\nclass A(val b: String = ${JSON.stringify(text)})\n`,
  "o.md": (text) =>
    `# Notes\n\n## ${text}\n\nThe system reads its settings from here. ${text} is how it starts.\n\n${text}\n\n- ${text}\n`,
  "p.txt": (text) =>
    `NOTES\n\n1. ${text}\n\nThe following is used by the service every day.\n${text}\nIt was set up by the operations team last year, and ${text} has been there since.\n${text}\n`,
  "q.ipynb": (text) =>
    JSON.stringify({
      cells: [
        { cell_type: "markdown", source: [`# ${text}\n`, text] },
        {
          cell_type: "code",
          source: [`import ${text}\n`, `def f(a=${JSON.stringify(text)}):\n`, "    pass\n"],
          outputs: [{ output_type: "stream", text: [text] }],
        },
      ],
      metadata: { kernelspec: { language: "python", name: text } },
      nbformat: 4,
    }),
  "r.diff": (text) =>
    `diff --git a/${text} b/${text}\n--- a/${text}\n+++ b/${text}\n@@ -1 +1 @@\n-${text}\n+${text}\n`,
};

function rows<Row>(length: number, make: (index: number) => Row): Row[] {
  return Array.from({ length }, (_, index) => make(index));
}

/** Deterministic for a seed. */
function draw(alphabet: string, length: number, seed: number): string {
  const bytes = createHash("sha512").update(`${alphabet} ${seed}`).digest();
  return rows(length, (i) => alphabet.charAt(bytes.readUInt16LE(2 * i) % alphabet.length)).join("");
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The whole secret, and of a long one every run of twelve characters. */
function pieces({ secret }: PlantedSecret): string[] {
  if (secret.length <= 12) return [secret];
  return rows(secret.length - 11, (i) => secret.slice(i, i + 12));
}

describe("what an exploration may show", () => {
  it("has more than a hundred planted credentials to be tried with", () => {
    expect(PLANTED_SECRETS.length).toBeGreaterThanOrEqual(100);
  });

  it.each(["swordfish", "hunter2", "Sommer2024", "letmein"])(
    "never is %s, where a credential is near",
    async (secret) => {
      for (const name of [
        "inside.json",
        "secret.yaml",
        "inside.xml",
        "pairs.xml",
        "pairs.json",
        "announced.md",
        "next-line.log",
      ])
        expect((await exploreText(FILES[name]?.(secret) ?? "", { name })).text, name).not.toContain(secret);
    },
  );

  it.each(["hunter2", "Sommer2024", "P4ssw0rd", "qwertz123", "1234abcd"])("is no value like %s", (value) => {
    expect(isPlainValue(value)).toBe(false);
  });

  it.each([
    "4111111111111",
    "411111111111111",
    "4111 11111 1111",
    "3782 822463 10005",
    "3782-822463-10005",
    "4111.1111.1111.1",
    "4111/11111/1111",
    "(4111)11111/1111",
  ])("is no number of 13 digits and more like %s, however it is grouped", (number) => {
    expect(isPlainValue(number)).toBe(false);
    expect(isPlainSentence(`It is ${number} today.`)).toBe(false);
  });

  it.each(["123-4567-89012", "123 4567 89012", "192.168.100.200", "555 0100"])(
    "may be a number of up to 12 digits in groups of other sizes, like %s",
    (number) => {
      expect(isPlainSentence(`It is ${number} today.`)).toBe(true);
    },
  );

  it.each([
    ["small letters", "abcdefghijklmnopqrstuvwxyz"],
    ["small letters and digits", "abcdefghijklmnopqrstuvwxyz0123456789"],
    ["base32", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"],
    ["letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    ["base64", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"],
    ["base64 for addresses", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"],
    ["hexadecimal digits", "0123456789abcdef"],
    ["digits", "0123456789"],
  ])("is hardly ever drawn from %s", (_, alphabet) => {
    const drawn = rows(5_000, (i) => draw(alphabet, 20, i));
    for (const isPlain of [
      isPlainName,
      isPlainValue,
      isPlainSentence,
      isPlainIdentifier,
      isPlainCode,
      isPlainHead,
    ])
      expect(drawn.filter(isPlain).length).toBeLessThanOrEqual(5);
  });

  it.each(Object.keys(FILES))("never is a credential in a file like %s", async (name) => {
    const shown: string[] = [];
    for (const planted of PLANTED_SECRETS) {
      const { text } = await exploreText(FILES[name]?.(planted.text) ?? "", { name });
      if (pieces(planted).some((piece) => text.includes(piece))) shown.push(`${planted.text} in ${text}`);
    }
    expect(shown).toEqual([]);
  });

  it.each([
    "name",
    "country",
    "Country Code",
    "created_at",
    "orderTotal",
    "x-request-count",
    "/users/{id}/posts",
    "org.apache.hadoop.ipc.Client",
    "src/context/files/explore.ts",
    "sha256",
    "utf8",
    "Größe",
    "名前",
  ])("may be the name %s", (name) => {
    expect(isPlainName(name)).toBe(true);
  });

  it.each([
    "open",
    "in progress",
    "New York",
    "United Arab Emirates",
    "en-US",
    "application/json",
    "3.1.0",
    "2024-01-01",
    "2024-01-01T10:00:00Z",
    "42",
    "-0.5",
    "São Paulo",
    "東京",
  ])("may be the value %s", (value) => {
    expect(isPlainValue(value)).toBe(true);
  });

  it.each([
    "password",
    "dbPassword",
    "DB_PASSWORD",
    "apiKey",
    "X-Api-Key",
    "access_token",
    "Authorization",
    "set-cookie",
    "sessionId",
    "privateKey",
    "client.secret",
    "pin",
    "CVV",
  ])("is no value under the name %s", (name) => {
    expect(isSensitiveName(name)).toBe(true);
  });

  it.each([
    "The exit status of a function is zero unless an error occurs.",
    "これは普通の文です。",
    "Chapter 3: Basic Shell Features",
  ])("may be the sentence %s", (sentence) => {
    expect(isPlainSentence(sentence)).toBe(true);
  });
});
