/** The script of an exported file: the same views, answered from the data in the file. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { ClientContext } from "./api.ts";
import { ConversationPage } from "./conversation-page.tsx";
import { type Exported, exportedClient } from "./exported-client.ts";
import { count, time } from "./format.ts";
import { keepOwnAddress } from "./router.tsx";
import "./style.css";

const exported: Exported = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
const { id } = exported.tree.conversation;
const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = isDark ? "dark" : "light";
keepOwnAddress(`/c/${id}`);

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <ClientContext value={exportedClient(exported)}>
        <p className="warning">
          This file contains every word of {count(exported.messages.length)} messages
          {exported.withoutToolResults ? ", without the results of tools" : ", results of tools included"}.
          Exported {time(exported.exportedAt)}.
        </p>
        <main>
          <ConversationPage id={id} />
        </main>
      </ClientContext>
    </QueryClientProvider>,
  );
