import { inject } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { describeStore } from "../testing/conformance.ts";
import { openPostgresStore } from "./index.ts";

describeStore("PostgreSQL", async () => {
  const database = await freshDatabase(inject("postgresUrl"));
  return { open: () => openPostgresStore({ url: database.url }), dispose: database.drop };
});
