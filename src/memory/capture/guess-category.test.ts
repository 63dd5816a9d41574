import { describe, expect, it } from "vitest";
import { guessCategory } from "./guess-category.ts";

const SENTENCES = {
  profile: [
    "The user's name is Bob",
    "Bob works at Contoso",
    "Maria lives in Lisbon",
    "The user lives in Oslo",
    "The new designer lives in Porto",
    "Her middle name is Inga",
    "The user speaks German",
    "I am allergic to nuts",
    "Tomasz was born in Kraków",
  ],
  preferences: [
    "Alex prefers Neovim",
    "We use pnpm, never npm",
    "no, use yarn",
    "The project uses tabs",
    "The team likes short reviews",
    "The user hates long meetings",
    "Sam enjoys climbing",
    "My favourite shell is fish",
    "Reviewers like small commits: people really like them",
  ],
  entities: [
    "The editor is Zed",
    "The staging host is db2.internal:5433",
    "The importer lives in packages/import",
    "Redis lives in eu-west-1",
    "The proxy works as a cache",
    "The gateway speaks HTTP/2",
    "The branch name is release-next",
    "Dana owns the importer",
    "The API listens on port 8417",
    "Production runs in eu-west-1",
    "Deploys happen every Friday at noon",
    "Access tokens expire after an hour",
    "The backlog is in Linear",
    "The logs are stored in /var/log/app",
    "The nightly job is started by cron",
    "The deadline is 3 May",
    "The new parser works like the old one",
    "The page size is fixed at 4096 bytes",
    "v2.1 supports Windows",
    "The archive has 12 volumes",
  ],
  events: [
    "We decided to drop Windows support",
    "The release was moved to March",
    "The migration started on Monday",
    "We met Carla in Rome",
    "The servers in Oslo were down yesterday",
    "Nadia joined the platform team 3 weeks ago",
    "Lunch with the auditors",
  ],
  cases: [
    "The root cause of the crash was a missing index",
    "The build failed because of a stale lockfile; deleting it fixed that",
    "Timeouts were caused by the proxy",
    "Workaround: restart the worker after each import",
  ],
  patterns: [
    "Never force-push to main",
    "Tests must not sleep",
    "Commit messages should say why",
    "The importer must run before the exporter",
    "Whenever the schema changes, regenerate the client",
  ],
} as const;

describe("the category of a memory without one", () => {
  it.each(
    Object.entries(SENTENCES).flatMap(([category, sentences]) =>
      sentences.map((sentence) => [category, sentence]),
    ),
  )("is %s for %j", (category, sentence) => {
    expect(guessCategory(sentence)).toBe(category);
  });
});
