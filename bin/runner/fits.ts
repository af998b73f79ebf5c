/** Machine, state folder and database must fit together. */
import fs from "node:fs";
import path from "node:path";
import { missingMigrations } from "../../prisma/migrate.ts";
import { withClient } from "../../server/db/connect.ts";
import { ROLES } from "../../server/db/roles.ts";
import type { HeldUrls } from "../start/database-file.ts";
import { getCode, StartFailure, wordsOf } from "../start/failure.ts";
import { heldBy, getKeys } from "../start/hand-out.ts";
import type { Settings } from "../start/settings.ts";

/** Beside an `npm start`, DATABASE_URL is the administrator's. */
export const connectionsOf = ({ home, databaseUrl }: Settings): HeldUrls & { readonly runner: string } => {
  const held = heldBy(home, "runner", databaseUrl !== null);
  const runner = held.runner ?? databaseUrl;

  if (runner === null) throw new StartFailure(`No database is configured. Set DATABASE_URL to the connection string of ${ROLES.runner}.`);

  return { ...held, runner };
};

/** A readable key proves and hides nothing; copies often lose modes. */
export const refuseOpenKeys = (home: string): void => {
  for (const name of getKeys("runner")) {
    const file = path.join(home, "keys", name);

    if ((fs.statSync(file).mode & 0o077) !== 0) throw new StartFailure(`Other users can read ${file}. Run: chmod 600 ${file}`);
  }
};

const foreign = (url: string, error: unknown): StartFailure => {
  const { hostname, port, username } = new URL(url);
  const server = `${hostname}:${port === "" ? 5432 : port}`;
  if (getCode(error) === "28P01") return new StartFailure(`The database at ${server} rejected the password of ${username}.`, error);

  return new StartFailure(`Cannot connect to the database at ${server} (${getCode(error) ?? wordsOf(error)}).`, error);
};

/** @throws StartFailure for another role or schema version */
export const refuseForeignDatabase = async (url: string): Promise<void> => {
  const found = await withClient(url, async (client) => {
    const { rows } = await client.query<{ role: string }>("select current_user as role");

    return { role: rows[0]?.role, missing: await missingMigrations(client) };
  }).catch((error: unknown) => {
    throw foreign(url, error);
  });

  if (found.role !== ROLES.runner) {
    throw new StartFailure(`A runner must connect to the database as ${ROLES.runner}, not as "${found.role}".`);
  }
  if (found.missing.length > 0) {
    throw new StartFailure(
      `The database is not migrated to this version (missing: ${found.missing.join(", ")}). Run npm start or npm run set-up of this version first.`,
    );
  }
};
