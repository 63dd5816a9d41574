/** The syntax tree nodes that make up an outline, language by language. */
import type { Node } from "./load-parser.ts";
import type { OutlineWriter, Place } from "./outline-tree.ts";
import { readEcmascript } from "./read-ecmascript.ts";
import { readGo } from "./read-go.ts";

export interface Grammar {
  readonly label: string;
  /** File of the grammar; null if there is none and lines are read instead. */
  readonly file: string | null;
  readonly imports: readonly string[];
  /** Nodes that name the package or namespace. */
  readonly packages: readonly string[];
  /** Nodes with a line in the outline: functions, classes, types. */
  readonly definitions: readonly string[];
  /** Definitions that are searched for nested ones. */
  readonly nested: readonly string[];
  /** Separator between the names of nested definitions; default is a dot. */
  readonly separator?: string;
  /** Containers that are searched but not shown: namespaces, conditional sections. */
  readonly wrappers: readonly string[];
  /** Members that are listed after a class. */
  readonly members: readonly string[];
  /** Whether it is public; public definitions come first. */
  isPublic(signature: string): boolean;
  /** Reads a node by rules of this language; false to use the common rules. */
  readNode?(node: Node, place: Place, writer: OutlineWriter): boolean;
}

const EVERYTHING = () => true;
const ECMASCRIPT = {
  imports: ["import_statement"],
  definitions: [
    ...[
      "function_declaration",
      "generator_function_declaration",
      "class_declaration",
      "abstract_class_declaration",
    ],
    ...[
      "interface_declaration",
      "type_alias_declaration",
      "enum_declaration",
      "lexical_declaration",
      "variable_declaration",
    ],
    "function_signature",
  ],
  packages: [],
  nested: [],
  wrappers: ["ambient_declaration", "statement_block"],
  members: [
    ...["pair", "shorthand_property_identifier", "property_identifier", "enum_assignment"],
    "method_definition",
    "method_signature",
    "abstract_method_signature",
    "public_field_definition",
    "property_signature",
  ],
  isPublic: (signature: string) => /^(?:export\b|exports\.|module\.exports\b)/.test(signature),
  readNode: readEcmascript,
};

function ecmascript(label: string, file: string): Grammar {
  return { ...ECMASCRIPT, label, file };
}

function unparsed(label: string): Grammar {
  const none = { imports: [], packages: [], definitions: [], nested: [], wrappers: [], members: [] };
  return { ...none, label, file: null, isPublic: EVERYTHING };
}

const CPP = {
  file: "cpp",
  imports: ["preproc_include"],
  packages: [],
  nested: [],
  definitions: [
    ...["function_definition", "class_specifier", "struct_specifier", "enum_specifier", "union_specifier"],
    ...["type_definition", "alias_declaration", "declaration", "template_declaration"],
  ],
  wrappers: [
    ...["namespace_definition", "linkage_specification", "declaration_list"],
    ...["preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif"],
  ],
  members: ["function_definition", "field_declaration", "declaration", "enumerator"],
  isPublic: (signature: string) => !/^static\b/.test(signature),
};

const JAVA_TYPES = [
  ...["class_declaration", "interface_declaration", "enum_declaration", "record_declaration"],
  "annotation_type_declaration",
];
const CSHARP_TYPES = [
  ...["class_declaration", "interface_declaration", "struct_declaration", "enum_declaration"],
  ...["record_declaration", "record_struct_declaration", "delegate_declaration"],
];

export const GRAMMARS = {
  typescript: ecmascript("TypeScript", "typescript"),
  tsx: ecmascript("TypeScript with JSX", "tsx"),
  javascript: ecmascript("JavaScript", "javascript"),
  python: {
    label: "Python",
    file: "python",
    imports: ["import_statement", "import_from_statement", "future_import_statement"],
    packages: [],
    nested: ["class_definition"],
    definitions: ["function_definition", "class_definition"],
    wrappers: ["decorated_definition", "if_statement", "try_statement", "block"],
    members: ["function_definition"],
    isPublic: (signature) => !/^(?:async\s+)?(?:def|class)\s+_/.test(signature),
  },
  go: {
    label: "Go",
    file: "go",
    imports: ["import_declaration"],
    packages: ["package_clause"],
    definitions: ["function_declaration", "method_declaration"],
    nested: [],
    wrappers: [],
    members: ["field_declaration", "method_elem"],
    isPublic: (signature) => /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+)\p{Lu}|^(?:var|const)\b/u.test(signature),
    readNode: readGo,
  },
  rust: {
    label: "Rust",
    file: "rust",
    imports: ["use_declaration", "extern_crate_declaration"],
    packages: [],
    nested: [],
    definitions: [
      ...["function_item", "struct_item", "enum_item", "trait_item", "impl_item", "type_item", "union_item"],
      ...["macro_definition", "const_item", "static_item"],
    ],
    wrappers: ["mod_item", "declaration_list"],
    members: ["function_item", "function_signature_item", "enum_variant"],
    isPublic: (signature) => /^(?:pub\b|impl\b|macro_rules)/.test(signature),
  },
  java: {
    label: "Java",
    file: "java",
    imports: ["import_declaration"],
    packages: ["package_declaration"],
    definitions: JAVA_TYPES,
    nested: JAVA_TYPES,
    wrappers: ["enum_body_declarations"],
    members: ["method_declaration", "constructor_declaration", "enum_constant"],
    isPublic: (signature) => !/\bprivate\b/.test(signature),
  },
  csharp: {
    label: "C#",
    file: "c-sharp",
    imports: ["using_directive"],
    packages: ["namespace_declaration", "file_scoped_namespace_declaration"],
    definitions: CSHARP_TYPES,
    nested: CSHARP_TYPES,
    wrappers: ["namespace_declaration", "file_scoped_namespace_declaration", "declaration_list"],
    members: [
      "method_declaration",
      "constructor_declaration",
      "property_declaration",
      "enum_member_declaration",
    ],
    isPublic: (signature) => !/\bprivate\b/.test(signature),
  },
  c: { ...CPP, label: "C" },
  cpp: { ...CPP, label: "C++" },
  ruby: {
    label: "Ruby",
    file: "ruby",
    imports: ["call"],
    packages: [],
    definitions: ["class", "module", "method", "singleton_method"],
    nested: ["class", "module"],
    separator: "::",
    wrappers: [],
    members: ["method", "singleton_method", "class", "module"],
    isPublic: EVERYTHING,
  },
  php: {
    label: "PHP",
    file: "php",
    imports: ["namespace_use_declaration"],
    packages: ["namespace_definition"],
    nested: [],
    definitions: [
      ...["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"],
      "function_definition",
    ],
    wrappers: ["namespace_definition", "compound_statement"],
    members: ["method_declaration", "enum_case"],
    isPublic: EVERYTHING,
  },
  shell: {
    label: "Shell script",
    file: "bash",
    imports: ["command"],
    packages: [],
    nested: [],
    definitions: ["function_definition"],
    wrappers: ["if_statement"],
    members: [],
    isPublic: EVERYTHING,
  },
  powershell: {
    label: "PowerShell",
    file: "powershell",
    imports: [],
    packages: [],
    nested: [],
    definitions: ["function_statement", "class_statement"],
    wrappers: ["statement_list"],
    members: ["class_method_definition"],
    isPublic: EVERYTHING,
  },
  kotlin: unparsed("Kotlin"),
  swift: unparsed("Swift"),
  scala: unparsed("Scala"),
  lua: unparsed("Lua"),
  perl: unparsed("Perl"),
  r: unparsed("R"),
  dart: unparsed("Dart"),
  elixir: unparsed("Elixir"),
  julia: unparsed("Julia"),
  sql: unparsed("SQL"),
} as const satisfies Readonly<Record<string, Grammar>>;

export type Language = keyof typeof GRAMMARS;
