/** `npm run migration -- <name>`: writes a migration. */
import { makeMigration } from "../prisma/migrate.ts";
import { temporaryPostgres } from "./postgres/temporary.ts";
import { writeErr, writeOut } from "./terminal.mjs";

const label = process.argv[2];

if (label === undefined) {
  writeErr("usage: npm run migration -- <what_changes>\n");
  process.exit(1);
}

const postgres = await temporaryPostgres();

try {
  const made = await makeMigration(label, postgres.adminUrl);

  writeOut(made === null ? "The schema did not change.\n" : `Created prisma/migrations/${made}.\n`);
} finally {
  await postgres.stop();
}
