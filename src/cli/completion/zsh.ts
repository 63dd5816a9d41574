import {
  type CommandShape,
  type OptionShape,
  optionsWith,
  optionsWithValues,
  type ProgramShape,
} from "./program-shape.ts";

/** For a file `_lcm` in `fpath`, or `source <(lcm completion zsh)`. */
export function zshScript(program: ProgramShape): string {
  const { commands, everywhere } = program;
  return `#compdef lcm palimpsest
# zsh completion for lcm. Load it with: source <(lcm completion zsh)
_lcm() {
  local at="" word ids=""
  local -a names options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
${commands.flatMap(stepsInto).join("\n")}
    esac
  done
  case "$at/\${words[CURRENT-1]}" in
${optionsWithValues(program)
  .map(({ path, name, values }) => `    ("${path}/${name}") compadd -- ${values.join(" ")}; return ;;`)
  .join("\n")}
  esac
  case "\${words[CURRENT-1]}" in
    (${optionsWith(program, "file").join("|")}) _files; return ;;
    (${optionsWith(program, "id").join("|")}) _lcm_ids; return ;;
    (${optionsWith(program, "text").join("|")}) return ;;
  esac
  case "$at" in
${commands.map(itemsAt).join("\n")}
  esac
  options+=(${itemsOf(everywhere)})
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o 'option' options
  elif (( \${#names} )); then
    _describe 'command' names
  elif [[ -n "$ids" ]]; then
    _lcm_ids
  else
    _files
  fi
}
_lcm_ids() {
  compadd -- \${(f)"$(\${words[1]} complete-id "\${words[CURRENT]}" 2>/dev/null)"}
}
if [ "\${funcstack[1]}" = "_lcm" ]; then
  _lcm "$@"
else
  compdef _lcm lcm palimpsest
fi
`;
}

function stepsInto({ path, words }: CommandShape): string[] {
  return words
    .filter(({ isCommand }) => isCommand)
    .map(({ word }) => `      ("${path}/${word}") at="${`${path} ${word}`.trim()}" ;;`);
}

function itemsAt({ path, words, options, takesId }: CommandShape): string {
  return `    ("${path}")
      names=(${words.map(({ word, description }) => item(word, description)).join(" ")})
      options=(${itemsOf(options)})
      ids=${takesId ? "yes" : '""'}
      ;;`;
}

function itemsOf(options: readonly OptionShape[]): string {
  return options.flatMap(({ names, description }) => names.map((name) => item(name, description))).join(" ");
}

/** `name:what it does`, in single quotes. */
function item(name: string, description: string): string {
  const text = description === "" ? name : `${name}:${description.replaceAll(":", "\\:")}`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
