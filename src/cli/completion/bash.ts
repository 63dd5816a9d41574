import {
  type CommandShape,
  type OptionShape,
  optionsWith,
  optionsWithValues,
  type ProgramShape,
} from "./program-shape.ts";

/** For `source <(lcm completion bash)`; compatible with bash 3.2. */
export function bashScript(program: ProgramShape): string {
  const { commands, everywhere } = program;
  return `# bash completion for lcm. Load it with: source <(lcm completion bash)
_lcm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local at="" names="" options="" ids="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at/\${COMP_WORDS[index]}" in
${commands.flatMap(stepsInto).join("\n")}
    esac
  done
  COMPREPLY=()
  case "$at/$before" in
${optionsWithValues(program)
  .map(
    ({ path, name, values }) =>
      `    "${path}/${name}") COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$current")); return ;;`,
  )
  .join("\n")}
  esac
  case "$before" in
    ${optionsWith(program, "file").join("|")}) _lcm_files; return ;;
    ${optionsWith(program, "id").join("|")}) _lcm_ids; return ;;
    ${optionsWith(program, "text").join("|")}) return ;;
  esac
  case "$at" in
${commands.map(wordsAt).join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options ${namesOf(everywhere)}" -- "$current")) ;;
    *)
      if [ -n "$names" ]; then COMPREPLY=($(compgen -W "$names" -- "$current"))
      elif [ -n "$ids" ]; then _lcm_ids
      else _lcm_files; fi ;;
  esac
}
_lcm_ids() {
  COMPREPLY=($(compgen -W "$(\${COMP_WORDS[0]} complete-id "$current" 2>/dev/null)" -- "$current"))
}
_lcm_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _lcm lcm palimpsest
`;
}

function stepsInto({ path, words }: CommandShape): string[] {
  return words
    .filter(({ isCommand }) => isCommand)
    .map(({ word }) => `      "${path}/${word}") at="${`${path} ${word}`.trim()}" ;;`);
}

function wordsAt({ path, words, options, takesId }: CommandShape): string {
  const names = words.map(({ word }) => word).join(" ");
  return `    "${path}") names="${names}" options="${namesOf(options)}" ids="${takesId ? "yes" : ""}" ;;`;
}

function namesOf(options: readonly OptionShape[]): string {
  return options.flatMap(({ names }) => names).join(" ");
}
