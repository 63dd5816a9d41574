/** One PostgreSQL for the whole test run: the one in LCM_TEST_DATABASE_URL, or the one that npm brought along. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A server on which tests may create databases; see `freshDatabase`. */
    postgresUrl: string;
  }
}

export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.LCM_TEST_DATABASE_URL;
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}
