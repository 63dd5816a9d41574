#!/usr/bin/env bash
# Looks at `lcm mcp` with the official MCP Inspector, on a store of its own. Needs Node 22.19 or newer, and fetches
# 110 MB the first time, which is why no test runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
lcm=(node bin/lcm.mjs --data "$folder/store")
"${lcm[@]}" import examples/conversation/observatory.jsonl > "$folder/import.txt"

inspect() {
  npx -y @modelcontextprotocol/inspector@2.12.0 --cli "${lcm[@]}" mcp --method "$@"
}
inspect tools/list | grep -o '"name": "lcm_[a-z_]*"'
inspect tools/call --tool-name lcm_grep --tool-arg pattern=dome limit=1
inspect resources/list | grep -o '"uri": "[^"]*"'
inspect prompts/list | grep -o '"name": "[^"]*"'
