import { inject } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { describeStore } from "../testing/conformance.ts";
import { describeSearchStore } from "../testing/search-conformance.ts";
import { openPostgresStore } from "./index.ts";

const create = async () => {
  const database = await freshDatabase(inject("postgresUrl"));
  return { open: () => openPostgresStore({ url: database.url }), dispose: database.drop };
};

describeStore("PostgreSQL", create);
describeSearchStore("PostgreSQL", create);
