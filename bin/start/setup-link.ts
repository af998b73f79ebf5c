/** Makes the first admin, once; the file is owner-only. */
import fs from "node:fs";
import path from "node:path";
import { hashSetupToken, generateSetupToken, SETUP_TOKEN_LIFE_MS } from "../../server/auth/setup-token.ts";
import { withClient } from "../../server/db/connect.ts";
import { writeSecret } from "./home.ts";

/** Null: an admin exists (demo apart). Voids older links. */
export const makeSetupLink = (home: string, adminUrl: string, url: string): Promise<string | null> => {
  const file = path.join(home, "setup-link");

  fs.rmSync(file, { force: true });

  return withClient(adminUrl, async (client) => {
    const admins = await client.query(
      `select 1 from membership m join app_user u on u.id = m.user_id join workspace w on w.id = m.workspace_id
       where m.role = 'admin' and not u.demo and not w.demo limit 1`,
    );

    await client.query("delete from setup_token where used_at is null");
    if (admins.rowCount !== 0) return null;
    const token = generateSetupToken();
    const link = `${url}/setup?token=${token}`;

    await client.query("insert into setup_token (hash, expires_at) values ($1, now() + $2 * interval '1 millisecond')", [
      hashSetupToken(token),
      SETUP_TOKEN_LIFE_MS,
    ]);
    writeSecret(file, `${link}\n`);

    return link;
  });
};

export const describeSetupLink = (link: string): string =>
  `  First start: open ${link}\n  to create the first admin. The link works once and expires after ${SETUP_TOKEN_LIFE_MS / 60_000} minutes.`;
