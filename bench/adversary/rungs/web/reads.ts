/** The web process reads: what row-level security hides from it until it names a workspace, and what it has no business with at all. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came } from "@/bench/adversary/rungs/came";
import { queryOn } from "@/server/testing/connections";
import type { World } from "@/bench/adversary/rungs/world";

/** Rows that come back to somebody who names no workspace and shows nobody's session. */
const rowsOf = async ({ desk, denied }: World, sql: string): Promise<number> => {
  try {
    await queryOn(desk.urls.web, "select set_config('countersign.workspace', '', false)");

    return (await queryOn(desk.urls.web, sql)).length;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (typeof code === "string") denied.push(code);

    return 0;
  }
};

const reading = (name: string, why: string, sql: string): Attack => ({
  name,
  why,
  run: async (world) => {
    // There is something to be read.
    await queryOn(
      world.desk.urls.admin,
      "insert into session (id, user_id, address, user_agent) select gen_random_uuid(), id, '10.0.0.0', 'Firefox' from app_user",
    );
    await queryOn(
      world.desk.urls.admin,
      `insert into invite (workspace_id, id, hash, email, role, created_by, created_at, expires_at)
       values ($1, gen_random_uuid(), repeat('0', 64), 'somebody@example.com', 'viewer', $2, now(), now() + interval '1 hour')`,
      [world.desk.workspace, world.desk.people.admin],
    );

    return came(world, (await rowsOf(world, sql)) > 0);
  },
});

export const READ_ATTACKS: readonly Attack[] = [
  reading("everybody's addresses", "People of every workspace, with their addresses.", "select email from app_user"),
  reading("everybody's password hashes", "What every person's password can be tried against.", "select password_hash from app_user"),
  reading("everybody's roles", "Who may do what in which workspace.", "select user_id, role from membership"),
  reading("everybody's sessions", "Who is signed in, from where.", "select id, user_id, address from session"),
  reading("everybody's invites", "Whom other workspaces let in.", "select email, role from invite"),
  reading("the queue", "Which runs of which workspaces are under way.", "select data from pgboss.job union all select '{}'::jsonb"),
];
