/**
 * A store that shows every view something: one conversation with recorded turns, summaries, tool calls, a diff, a table,
 * an image and markup that must stay text, a long one, memories with a history, and a file.
 */
import type { Engine } from "../../src/index.ts";

/** Runs something if a browser takes it for markup. */
export const MARKUP = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>"'><svg onload=window.broken=1>`;

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const DIFF = `diff --git a/src/server.ts b/src/server.ts
@@ -10,4 +10,5 @@ export function start() {
   const app = createApp();
-  app.listen(8080);
+  app.listen(Number(process.env.PORT ?? 8417));
+  log.info("listening");
   return app;`;

const TABLE = "| step | owner | state |\n|---|---|---|\n| migrate | Mara | done |\n| deploy | Jun | open |";

function answer(turn: number): string {
  if (turn % 5 === 1) return `Here is the plan for step ${turn}:\n\n${TABLE}\n\nI start with **migrate**.`;
  if (turn % 5 === 2) return `Changed the port:\n\n\`\`\`diff\n${DIFF}\n\`\`\`\n\nTests pass.`;
  if (turn % 5 === 3)
    return `## Notes\n\n1. The cache lives for \`${turn * 60}\` seconds.\n2. Retries are off.\n\n> Keep it small.`;
  return `Service ${turn} answers on port ${4_000 + turn}; its owner is Mara. ${"It restarts within two seconds. ".repeat(20)}`;
}

export async function fillPageStore(
  engine: Engine,
  longMessages: number,
): Promise<{ readonly id: string; readonly long: string }> {
  const { context, memory } = engine;
  const conversation = "deploy";
  for (let turn = 1; turn <= 40; turn++) {
    await context.assemble({ conversation, budget: 6_000, prompt: "Which port?" });
    const call = {
      type: "tool_use",
      id: `call_${turn}`,
      name: "read_file",
      input: { path: `src/service-${turn}.ts` },
    };
    const result = {
      type: "tool_result",
      tool_use_id: `call_${turn}`,
      content: `export const port = ${4_000 + turn};\n`.repeat(12),
    };
    await context.commitTurn({
      conversation,
      key: `turn ${turn}`,
      budget: 6_000,
      hostContext: { host: "claude-code", project: "/home/mara/shop", model: "anthropic/claude-fable-5" },
      messages: [
        {
          role: "user",
          content:
            turn === 40 ? `What does ${MARKUP} do?` : `Step ${turn}: which port does service ${turn} use?`,
        },
        { role: "assistant", content: [{ type: "text", text: "Let me look." }, call] },
        { role: "user", content: [result] },
        { role: "assistant", content: turn === 39 ? answer(1) : answer(turn) },
      ],
    });
    if (turn % 10 === 0) await context.compact({ conversation, budget: 6_000 });
  }
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
  await context.commitTurn({
    ...{ conversation, key: "image" },
    messages: [{ role: "user", content: [{ type: "text", text: "A screenshot:" }, image] }],
  });
  const { id } = await context.conversations.get(conversation);
  await context.conversations.rename(id, "Move the shop to port 8417");
  await attach(engine, conversation);
  await memory.store({ text: "Mara deploys on Tuesdays.", factKey: "deploy day", category: "patterns" });
  await memory.store({ text: "Mara deploys on Fridays too.", category: "patterns", force: true });
  const { memory: first } = await memory.store({
    text: "The shop listens on port 8080.",
    factKey: "shop port",
  });
  await memory.update({ id: first.id, text: "The shop listens on port 8417." });
  await memory.store({ text: `Markup is text: ${MARKUP}` });
  return { id, long: await fillLong(engine, longMessages) };
}

async function attach({ context }: Engine, conversation: string): Promise<void> {
  const rows = Array.from({ length: 3_000 }, (_, row) => `${row},service-${row},${4_000 + row}`);
  const open = async function* () {
    yield Buffer.from(`id,name,port\n${rows.join("\n")}\n`);
  };
  await context.files.attach({
    conversation,
    name: `ports ${MARKUP.slice(0, 20)}.csv`,
    mime: "text/csv",
    open,
  });
}

export async function fillLong({ context }: Engine, messages: number): Promise<string> {
  const conversation = "long";
  for (let from = 0; from < messages; from += 500) {
    const some = Array.from({ length: Math.min(500, messages - from) }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `Message ${from + index + 1}: ${"the quick brown fox ".repeat(1 + ((from + index) % 17))}`,
    }));
    await context.commitTurn({ conversation, key: `batch ${from}`, messages: some });
  }
  const { id } = await context.conversations.get(conversation);
  await context.conversations.rename(id, `A conversation of ${messages} messages`);
  return id;
}
