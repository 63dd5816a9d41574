/** Which nodes of a syntax tree an outline is made of, language by language. */
export interface Grammar {
  readonly label: string;
  /** File of the grammar; null where there is none and lines are looked at instead. */
  readonly file: string | null;
  readonly imports: readonly string[];
  /** What gets a line: functions, classes, types. */
  readonly definitions: readonly string[];
  /** What only holds others and is looked into: namespaces, conditional sections. */
  readonly wrappers: readonly string[];
  /** Members that are named behind a class. */
  readonly members: readonly string[];
  /** Whether outsiders can use it; those come first. */
  isPublic(signature: string): boolean;
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
  wrappers: ["export_statement", "internal_module", "module", "ambient_declaration", "statement_block"],
  members: [
    "method_definition",
    "method_signature",
    "abstract_method_signature",
    "public_field_definition",
    "property_signature",
  ],
  isPublic: (signature: string) => /^export\b/.test(signature),
};

function ecmascript(label: string, file: string): Grammar {
  return { ...ECMASCRIPT, label, file };
}

function unparsed(label: string): Grammar {
  return { label, file: null, imports: [], definitions: [], wrappers: [], members: [], isPublic: EVERYTHING };
}

const CPP = {
  file: "cpp",
  imports: ["preproc_include"],
  definitions: [
    ...["function_definition", "class_specifier", "struct_specifier", "enum_specifier", "union_specifier"],
    ...["type_definition", "alias_declaration", "declaration", "template_declaration"],
  ],
  wrappers: [
    ...["namespace_definition", "linkage_specification", "declaration_list"],
    ...["preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif"],
  ],
  members: ["function_definition", "field_declaration", "declaration"],
  isPublic: (signature: string) => !/^static\b/.test(signature),
};

export const GRAMMARS = {
  typescript: ecmascript("TypeScript", "typescript"),
  tsx: ecmascript("TypeScript with JSX", "tsx"),
  javascript: ecmascript("JavaScript", "javascript"),
  python: {
    label: "Python",
    file: "python",
    imports: ["import_statement", "import_from_statement", "future_import_statement"],
    definitions: ["function_definition", "class_definition"],
    wrappers: ["decorated_definition", "if_statement", "try_statement", "block"],
    members: ["function_definition"],
    isPublic: (signature) => !/^(?:async\s+)?(?:def|class)\s+_/.test(signature),
  },
  go: {
    label: "Go",
    file: "go",
    imports: ["import_declaration"],
    definitions: ["function_declaration", "method_declaration", "type_declaration"],
    wrappers: [],
    members: ["field_declaration", "method_elem"],
    isPublic: (signature) => /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+)\p{Lu}/u.test(signature),
  },
  rust: {
    label: "Rust",
    file: "rust",
    imports: ["use_declaration", "extern_crate_declaration"],
    definitions: [
      ...["function_item", "struct_item", "enum_item", "trait_item", "impl_item", "type_item", "union_item"],
      "macro_definition",
    ],
    wrappers: ["mod_item", "declaration_list"],
    members: ["function_item", "function_signature_item", "enum_variant"],
    isPublic: (signature) => /^(?:pub\b|impl\b|macro_rules)/.test(signature),
  },
  java: {
    label: "Java",
    file: "java",
    imports: ["import_declaration", "package_declaration"],
    definitions: [
      ...["class_declaration", "interface_declaration", "enum_declaration", "record_declaration"],
      "annotation_type_declaration",
    ],
    wrappers: [],
    members: ["method_declaration", "constructor_declaration"],
    isPublic: (signature) => !/\bprivate\b/.test(signature),
  },
  csharp: {
    label: "C#",
    file: "c-sharp",
    imports: ["using_directive"],
    definitions: [
      ...[
        "class_declaration",
        "interface_declaration",
        "struct_declaration",
        "enum_declaration",
        "record_declaration",
      ],
      "delegate_declaration",
    ],
    wrappers: ["namespace_declaration", "file_scoped_namespace_declaration", "declaration_list"],
    members: ["method_declaration", "constructor_declaration", "property_declaration"],
    isPublic: (signature) => !/\bprivate\b/.test(signature),
  },
  c: { ...CPP, label: "C" },
  cpp: { ...CPP, label: "C++" },
  ruby: {
    label: "Ruby",
    file: "ruby",
    imports: ["call"],
    definitions: ["class", "module", "method", "singleton_method"],
    wrappers: [],
    members: ["method", "singleton_method", "class", "module"],
    isPublic: EVERYTHING,
  },
  php: {
    label: "PHP",
    file: "php",
    imports: ["namespace_use_declaration", "namespace_definition"],
    definitions: [
      ...["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"],
      "function_definition",
    ],
    wrappers: ["compound_statement"],
    members: ["method_declaration"],
    isPublic: EVERYTHING,
  },
  shell: {
    label: "Shell script",
    file: "bash",
    imports: ["command"],
    definitions: ["function_definition"],
    wrappers: ["if_statement"],
    members: [],
    isPublic: EVERYTHING,
  },
  powershell: {
    label: "PowerShell",
    file: "powershell",
    imports: [],
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
