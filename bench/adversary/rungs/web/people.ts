import { randomUUID } from "node:crypto";
import { denialOf, type World } from "@/bench/adversary/rungs/world";
import { withClient } from "@/server/db/connect";
import { queryOn } from "@/server/testing/connections";

export const SECRET = "planted-secret-";

export type Planted = { readonly workspace: string; readonly person: string; readonly email: string };

const plantRows = async ({ desk }: World, { workspace, person, email }: Planted): Promise<void> => {
  const write = (sql: string, values: unknown[]) => queryOn(desk.urls.admin, sql, values);
  await write(
    "insert into session (id, user_id, workspace_id, address, user_agent) values (gen_random_uuid(), $1, $2, '10.0.0.0', 'Firefox')",
    [person, workspace],
  );
  await write("insert into identity (issuer, subject, user_id) values ('https://issuer.example', $1, $2)", [email, person]);
  await write(
    `insert into invite (workspace_id, id, hash, email, role, created_by, created_at, expires_at)
     values ($1, gen_random_uuid(), $3, 'other@example.com', 'viewer', $2, now(), now() + interval '1 hour')`,
    [workspace, person, `${SECRET}${randomUUID()}`],
  );
};

/** @returns another workspace's */
export const plantPeople = async (world: World): Promise<Planted> => {
  const { urls, workspace: own, people } = world.desk;
  const write = (sql: string, values: unknown[] = []) => queryOn(urls.admin, sql, values);
  const other = { workspace: randomUUID(), person: randomUUID(), email: `${randomUUID()}@example.org` };
  await write("insert into workspace (id, name) values ($1, 'Another')", [other.workspace]);
  await write("insert into app_user (id, email, name, password_hash) values ($1, $2, 'Noor', $3)", [
    other.person,
    other.email,
    `${SECRET}password of another workspace`,
  ]);
  await write("insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [other.workspace, other.person]);
  await write("update app_user set password_hash = $2 where id = $1", [people.reviewer, `${SECRET}password`]);
  await write("insert into setup_token (hash, expires_at) values ($1, now() + interval '1 hour')", [`${SECRET}link`]);
  await plantRows(world, other);
  await plantRows(world, { workspace: own, person: people.admin, email: "admin@example.com" });

  return other;
};

/** @param workspace null: none @returns rows of the last statement */
export const readRows = async ({ desk, denied }: World, workspace: string | null, sql: string): Promise<unknown[]> =>
  withClient(desk.urls.web, async (client) => {
    if (workspace !== null) await client.query("select set_config('countersign.workspace', $1, false)", [workspace]);
    try {
      const results = [await client.query<Record<string, unknown>>(sql)].flat();

      return results.at(-1)?.rows ?? [];
    } catch (error) {
      const denial = denialOf(error);
      if (!denial) throw error;
      denied.push(denial);

      return [];
    }
  });
