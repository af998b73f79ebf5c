/** The web process reads: what row-level security hides from it until it names a workspace, and what it has no business with at all. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { queryOn } from "@/server/testing/connections";
import { denialOf, type World } from "@/bench/adversary/rungs/world";

/** Rows that come back to somebody who names no workspace and shows nobody's session. */
const countRows = async ({ desk, denied }: World, sql: string): Promise<number> => {
  try {
    return (await queryOn(desk.urls.web, sql)).length;
  } catch (error) {
    const denial = denialOf(error);
    if (!denial) throw error;
    denied.push(denial);

    return 0;
  }
};

const readAttack = (name: string, why: string, sql: string): Attack => ({
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

    return reportOutcome(world, (await countRows(world, sql)) > 0);
  },
});

export const READ_ATTACKS: readonly Attack[] = [
  readAttack("read addresses", "Read the e-mail addresses of all workspaces without naming one.", "select email from app_user"),
  readAttack(
    "read password hashes",
    "Read the password hashes of all workspaces without naming one.",
    "select password_hash from app_user",
  ),
  readAttack("read memberships", "Read the roles of all workspaces without naming one.", "select user_id, role from membership"),
  readAttack("read sessions", "Read the sessions of all workspaces without naming one.", "select id, user_id, address from session"),
  readAttack("read invites", "Read the invites of all workspaces without naming one.", "select email, role from invite"),
  readAttack(
    "read the job queue",
    "Read which runs of which workspaces are queued.",
    "select data from pgboss.job union all select '{}'::jsonb",
  ),
];
