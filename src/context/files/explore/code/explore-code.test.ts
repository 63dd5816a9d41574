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
    shown: ["Imports: node:fs", "export function main(a, b = …)", "class A { b }"],
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
      "com.example, java.util.List",
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
