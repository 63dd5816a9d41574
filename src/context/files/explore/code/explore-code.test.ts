import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";

interface Sample {
  readonly name: string;
  readonly label: string;
  readonly source: string;
  readonly shown: readonly string[];
}

const SAMPLES: readonly Sample[] = [
  {
    name: "a.ts",
    label: "TypeScript",
    source: `import { x } from "./x.ts";\nexport interface Point { x: number; y: number }\nexport async function move(point: Point, by = "secret", times: number = 3): Promise<string[]> {\n  return [];\n}\nexport class Shape extends Base<Point> {\n  #hidden = 1;\n  area(): number { return 0; }\n}\nexport const LIMIT: number = 42;\nexport const run = async (task: string): Promise<void> => {};\nfunction inner() {}\n`,
    shown: [
      ...[
        "Imports: ./x.ts",
        "2: export interface Point { x, y }",
        "3: export async function move(point: Point, by = …, times: number = …): Promise<string[]>",
      ],
      ...[
        "6: export class Shape extends Base<Point> { area, #hidden }",
        "export const LIMIT: number",
        "export const run = async (task: string): Promise<void>",
        "function inner()",
      ],
    ],
  },
  {
    name: "a.tsx",
    label: "TypeScript with JSX",
    source:
      'import React from "react";\nexport function Page({ title }: { title: string }) {\n  return <h1>{title}</h1>;\n}\n',
    shown: ["Imports: react", "export function Page({ title }: { title: string })"],
  },
  {
    name: "a.js",
    label: "JavaScript",
    source: "import fs from 'node:fs';\nexport default function main(a, b = 2) {}\nclass A { b() {} }\n",
    shown: ["Imports: node:fs", "export default function main(a, b = …)", "class A { b }"],
  },
  {
    name: "a.py",
    label: "Python",
    source:
      'import os, sys as system\nfrom .models import User\n\n@cache\ndef load(path: str, mode="r") -> list[str]:\n    return []\n\nclass Store(Base):\n    def get(self, key): ...\n    @property\n    def size(self): ...\n\ndef _hidden(): ...\n',
    shown: [
      "Imports: os, sys, .models",
      "5: def load(path: str, mode=…) -> list[str]",
      "8: class Store(Base) { get, size }",
      "def _hidden()",
    ],
  },
  {
    name: "a.go",
    label: "Go",
    source:
      'package main\n\nimport (\n\t"fmt"\n\tx "net/http"\n)\n\ntype Server struct {\n\tAddr string\n}\n\nfunc (s *Server) Run(port int) error {\n\treturn nil\n}\n\nfunc helper() {}\n',
    shown: [
      "Imports: fmt, net/http",
      "type Server struct",
      "func (s *Server) Run(port int) error",
      "func helper()",
    ],
  },
  {
    name: "a.rs",
    label: "Rust",
    source:
      "use std::collections::HashMap;\n\npub struct Point { pub x: f64 }\n\nimpl Point {\n    pub fn new(x: f64) -> Self { Point { x } }\n}\n\npub trait Area { fn area(&self) -> f64; }\n\npub enum Kind { A, B(i32) }\n\nfn hidden() {}\n",
    shown: [
      "Imports: std::collections::HashMap",
      "pub struct Point",
      "impl Point { new }",
      "pub trait Area { area }",
      "pub enum Kind { A, B }",
      "fn hidden()",
    ],
  },
  {
    name: "A.java",
    label: "Java",
    source:
      "package com.example;\n\nimport java.util.List;\n\npublic class Order implements Comparable<Order> {\n  private int id = 7;\n  public Order(int id) {}\n  public List<String> lines(String filter) { return null; }\n}\n",
    shown: [
      "Belongs to: com.example\nImports: java.util.List\n",
      "public class Order implements Comparable<Order> { Order, lines }",
    ],
  },
  {
    name: "a.c",
    label: "C",
    source:
      '#include <stdio.h>\n#include "local.h"\n\ntypedef struct node { int value; } node_t;\n\nstatic int helper(void) { return 0; }\n\nint main(int argc, char **argv) {\n  return 0;\n}\n',
    shown: ["Imports: stdio.h, local.h", "int main(int argc, char **argv)", "static int helper(void)"],
  },
  {
    name: "a.cpp",
    label: "C++",
    source:
      "#include <vector>\n\nnamespace app {\n\ntemplate <typename T>\nclass Box : public Base {\n public:\n  T get() const { return value; }\n};\n\nint count(const std::vector<int>& items) { return 0; }\n\n}\n",
    shown: [
      "Imports: vector",
      "template <typename T> class Box : public Base",
      "int count(const std::vector<int>& items)",
    ],
  },
  {
    name: "a.rb",
    label: "Ruby",
    source:
      "require 'json'\n\nmodule App\n  class Store < Base\n    def get(key, default = 'x')\n    end\n  end\nend\n\ndef run(argument)\nend\n",
    shown: ["Imports: json", "module App { Store }", "def run(argument)"],
  },
  {
    name: "a.php",
    label: "PHP",
    source:
      "<?php\nuse App\\Models\\User;\n\nclass Store extends Base {\n  public function get(string $id): ?User { return null; }\n}\n\nfunction run(int $times = 3): void {}\n",
    shown: ["App\\Models\\User", "class Store extends Base { get }", "function run(int $times = …): void"],
  },
  {
    name: "a.sh",
    label: "Shell script",
    source:
      "#!/bin/bash\nsource ./common.sh\n\ndeploy() {\n  echo hi\n}\n\nfunction clean_up {\n  rm -rf x\n}\n",
    shown: ["Imports: ./common.sh", "4: deploy()", "8: function clean_up"],
  },
  {
    name: "a.cs",
    label: "C#",
    source:
      "using System;\n\nnamespace App {\n  public class Order : Base {\n    public int Total(int tax) { return 0; }\n  }\n}\n",
    shown: ["Imports: System", "public class Order : Base { Total }"],
  },
  {
    name: "a.kt",
    label: "Kotlin",
    source:
      'import java.util.Date\n\ndata class Order(val id: Int)\n\nfun total(order: Order, label: String = "x"): Int {\n  return 0\n}\n',
    shown: [
      "outlined by its lines, not parsed",
      "java.util.Date",
      "data class Order(val id: Int)",
      "fun total(order: Order, label: String",
    ],
  },
  {
    name: "a.sql",
    label: "SQL",
    source: "CREATE TABLE orders (\n  id integer\n);\nCREATE INDEX orders_idx ON orders (id);\n",
    shown: ["1: CREATE TABLE orders", "4: CREATE INDEX orders_idx"],
  },
];

interface Structure {
  readonly what: string;
  readonly name: string;
  readonly source: string;
  readonly shown: readonly string[];
  readonly hidden?: readonly string[];
}

const STRUCTURES: readonly Structure[] = [
  {
    what: "classes and methods in nested modules",
    name: "users.rb",
    source:
      "module Api\n  module V1\n    class Users < Base\n      def index(a, b = 1)\n      end\n      class << self\n        def make; end\n      end\n      class Error < StandardError; end\n    end\n    def helper; end\n  end\nend\ndef run(argument)\nend\n",
    shown: [
      "1: module Api { V1 }\n",
      "2: module V1 { Users, helper }, in Api\n",
      "3: class Users < Base { index, Error, make }, in Api::V1\n",
      "9: class Error < StandardError, in Api::V1::Users\n",
      "14: def run(argument)",
    ],
  },
  {
    what: "types inside of types",
    name: "Order.java",
    source:
      'package com.example;\npublic class Order {\n  public enum State { OPEN, CLOSED("x"); boolean isOpen() { return true; } }\n  public record Point(int x, int y) {}\n  interface Visitor { void visit(Order order); }\n  static class Builder { class Deep { void run() {} } }\n}\n',
    shown: [
      "public enum State { OPEN, CLOSED, isOpen }, in Order\n",
      "public record Point(int x, int y), in Order\n",
      "interface Visitor { visit }, in Order\n",
      "static class Builder, in Order\n",
      "class Deep { run }, in Order.Builder",
    ],
    hidden: ["Imports"],
  },
  {
    what: "types inside of types",
    name: "Order.cs",
    source:
      "namespace App.Orders;\npublic class Order : Base {\n  public enum State { Open, Closed }\n  public record Point(int X, int Y);\n  public interface IVisit { void Visit(Order o); }\n  public class Inner { public void Go() {} }\n}\n",
    shown: [
      "Belongs to: App.Orders\n",
      "public enum State { Open, Closed }, in Order\n",
      "public record Point(int X, int Y), in Order\n",
      "public interface IVisit { Visit }, in Order\n",
      "public class Inner { Go }, in Order",
    ],
    hidden: ["Imports"],
  },
  {
    what: "its namespace, and the cases of an enumeration",
    name: "suit.php",
    source:
      "<?php\nnamespace App\\X;\nuse function App\\helper;\nenum Suit: string { case Hearts = 'H'; public function label(): string { return ''; } }\nclass Store { public function get(): int { return 1; } }\nfunction login(string $user, string $password = 'x'): bool { return true; }\n",
    shown: [
      "1 import, 3 definitions",
      "Belongs to: App\\X\nImports: App\\helper\n",
      "enum Suit: string { Hearts, label }\n",
      "class Store { get }\n",
      "function login(string $user, …): bool",
    ],
  },
  {
    what: "what stands in the braces of a namespace",
    name: "two.php",
    source: "<?php\nnamespace App\\X { class A { function b() {} } }\nnamespace App\\Y { function c() {} }\n",
    shown: ["Belongs to: App\\X, App\\Y\n", "class A { b }", "function c()"],
  },
  {
    what: "every way to export",
    name: "exports.ts",
    source:
      'import fs = require("node:fs");\nexport * from "./all.ts";\nexport * as whole from "./whole.ts";\nexport { q as r, type S } from "./q.ts";\nconst v = 1;\nexport { v as w };\nexport default class A { run() {} }\nexport namespace N {\n  export function inside(a: string) {}\n  function notExported() {}\n}\nnamespace Own { export const x = 1; }\ndeclare module "foo" { export function inFoo(): void; }\nexport enum Kind { A, B = 2 }\n',
    shown: [
      "Imports: node:fs, ./all.ts, ./whole.ts, ./q.ts\n",
      "export * from ./all.ts\n",
      "export * as whole from ./whole.ts\n",
      "export { q as r, type S } from ./q.ts\n",
      "export { v as w }\n",
      "export default class A { run }\n",
      "8: export namespace N\n",
      "export function inside(a: string), in N\n",
      "- 10: function notExported(), in N\n",
      "namespace Own\n",
      "export const x, in Own\n",
      "module foo\n",
      "export function inFoo(): void, in foo\n",
      "export enum Kind { A, B }",
    ],
  },
  {
    what: "what is exported by assignment, and what is required",
    name: "exports.cjs",
    source:
      'const path = require("node:path");\nconst { a } = require("./deep").inner;\nrequire("side");\nexports.foo = function (a, b = "secret") {};\nexports.limit = 42;\nmodule.exports.bar = async (x) => x;\nmodule.exports = { one, two: three, four() {}, "secret key": 1, five: (x) => x };\nmodule.exports = class Server { start() {} };\nmodule.exports = require("./lib");\nhidden.foo = 1;\n',
    shown: [
      "4 imports, 6 definitions",
      "Imports: node:path, ./deep, side, ./lib\n",
      "exports.foo = function (a, b = …)\n",
      "exports.limit\n",
      "module.exports.bar = async (x)\n",
      "module.exports { one, two, four, five }\n",
      "module.exports = class Server { start }\n",
    ],
    hidden: ["secret", "hidden.foo"],
  },
  {
    what: "whole types, and exported variables and constants",
    name: "types.go",
    source:
      'package shop\n\ntype M map[string]int\ntype F func(a int) error\ntype (\n\tOne struct { A int }\n\tTwo interface { Do(x int) error }\n)\ntype C chan int\nvar ErrNotFound = errors.New("secret")\nvar hidden = 3\nconst Limit Kind = 42\nconst (\n\tA Kind = iota\n\tB\n\tc\n)\nvar (\n\tDefault, Other = 1, 2\n\tTable map[string]int\n)\n',
    shown: [
      "Belongs to: shop\n",
      "type M map[string]int\n",
      "type F func(a int) error\n",
      "type One struct { A }\n",
      "type Two interface { Do }\n",
      "type C chan int\n",
      "10: var ErrNotFound\n",
      "12: const Limit Kind\n",
      "const { A, B }\n",
      "var { Default, Other, Table }",
    ],
    hidden: ["hidden", "secret"],
  },
  {
    what: "functions whose parameters are named for a password",
    name: "login.py",
    source:
      'def login(user, password):\n    pass\ndef reset_password(user, new_password="hunter2", *, force=None): pass\nclass Auth:\n    def check_password(self): pass\n    class Inner:\n        def deep(self): pass\n',
    shown: [
      "def login(user, …)\n",
      "def reset_password(user, …, *, force=None)\n",
      "class Auth { check_password }\n",
      "class Inner { deep }, in Auth",
    ],
    hidden: ["hunter2", "new_password"],
  },
  {
    what: "the same without a parser",
    name: "login.kt",
    source:
      'fun login(user: String, password: String = "hunter2") {\n}\nclass Login(val user: String)\nfun other(): Int {\n}\n',
    shown: ["fun login(user: String, …", "class Login(val user: String)", "fun other(): Int"],
    hidden: ["hunter2", "password"],
  },
  {
    what: "names that nobody could pronounce",
    name: "names.ts",
    source:
      "export function zzz() {}\nexport function strncpy(dst: string, xhrPool: number) {}\nexport class Base64Url { zzz() {} }\n",
    shown: ["export function zzz()\n", "export function strncpy(dst: string, xhrPool: number)\n", "{ zzz }"],
  },
];

describe("code", () => {
  it.each(SAMPLES)("in $label is outlined by its signatures", async ({ name, label, source, shown }) => {
    const { kind, title, text } = await exploreText(source, { name });
    expect(kind).toBe("code");
    expect(title.startsWith(`${label}, `)).toBe(true);
    for (const line of shown) expect(text).toContain(line);
    expect(text).not.toContain("return");
    expect(text).not.toContain("secret");
  });

  it.each(
    SAMPLES.filter(({ label }) => ["Python", "Go", "Rust", "Java", "PHP", "Shell script"].includes(label)),
  )("in $label is known without a name", async ({ source, label }) => {
    expect((await exploreText(`${source}\n${source}`)).title).toContain(label);
  });

  it.each(STRUCTURES)("in $name shows $what", async ({ name, source, shown, hidden = [] }) => {
    const { text, tokens } = await exploreText(source, { name });
    for (const line of shown) expect(text).toContain(line);
    for (const word of hidden) expect(text).not.toContain(word);
    expect(text).not.toContain("more");
    expect(tokens).toBeLessThanOrEqual(400);
  });

  it("tells what outsiders can use before what stands inside of it", async () => {
    const inner = Array.from(
      { length: 200 },
      (_, i) => `  public static class Inner${i % 10} { void run() {} }`,
    );
    const { text, tokens } = await exploreText(
      `public class Outer {\n${inner.join("\n")}\n}\npublic class Last { void go() {} }\n`,
      { name: "Outer.java" },
    );
    expect(text).toContain("public class Last { go }");
    expect(text).toMatch(/… and \d+ more/);
    expect(tokens).toBeLessThanOrEqual(400);
  });

  it("with errors is outlined as far as it goes", async () => {
    const { title, text } = await exploreText(
      "export function whole(a: string) {}\nexport function {{{ broken\n",
      { name: "a.ts" },
    );
    expect(title).toContain("with syntax errors");
    expect(text).toContain("export function whole(a: string)");
  });

  it("nested deeper than the parser's stack does no harm", async () => {
    const { kind } = await exploreText(`const a = ${"[".repeat(100_000)}`, { name: "a.ts" });
    expect(kind).toBe("code");
  });

  it("above five megabytes is outlined at its beginning, and says so", async () => {
    const { title, complete } = await exploreText("export function f(): void {}\n".repeat(190_000), {
      name: "a.ts",
    });
    expect(title).toContain("only the first 5.0 MB outlined");
    expect(complete).toBe(false);
  });
});
