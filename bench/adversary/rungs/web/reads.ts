import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { plantPeople, readRows, type Planted } from "./people";

/** @param sql returns rows if the attack succeeds */
const readAttack = (name: string, why: string, names: "none" | "own", sql: string | ((other: Planted) => string)): Attack => ({
  name,
  why,
  run: async (world) => {
    const other = await plantPeople(world);
    const text = typeof sql === "string" ? sql : sql(other);

    return reportOutcome(world, (await readRows(world, names === "own" ? world.desk.workspace : null, text)).length > 0);
  },
});

const OF_ANOTHER = ({ workspace, person, email }: Planted): string =>
  `select email as found from app_user where id = '${person}' or email = '${email}'
   union all select role from membership where workspace_id = '${workspace}'
   union all select address from session where user_id = '${person}'
   union all select subject from identity where user_id = '${person}'
   union all select email from invite where workspace_id = '${workspace}'
   union all select name from workspace where id = '${workspace}'`;

export const READ_ATTACKS: readonly Attack[] = [
  readAttack("read addresses", "Read the e-mail addresses of all workspaces without naming one.", "none", "select email from app_user"),
  readAttack(
    "read password hashes",
    "Read the password hashes of all workspaces without naming one.",
    "none",
    "select password_hash from app_user",
  ),
  readAttack("read memberships", "Read the roles of all workspaces without naming one.", "none", "select user_id, role from membership"),
  readAttack(
    "read sessions",
    "Read the sessions of all workspaces without naming one.",
    "none",
    "select id, user_id, address from session",
  ),
  readAttack("read invites", "Read the invites of all workspaces without naming one.", "none", "select email, role from invite"),
  readAttack(
    "read identities",
    "Read who is who at the identity provider without naming a workspace.",
    "none",
    "select issuer, subject, user_id from identity",
  ),
  readAttack("list workspaces", "Read which workspaces there are, to name them one after the other.", "none", "select id from workspace"),
  readAttack("read set-up tokens", "Read the hashes of links that make a first admin.", "own", "select hash from setup_token"),
  readAttack("read another workspace's people", "Read another workspace's rows while naming one's own.", "own", OF_ANOTHER),
  readAttack(
    "read password hashes of its workspace",
    "Read the password hashes of the workspace that is named.",
    "own",
    "select password_hash from app_user where password_hash is not null",
  ),
  readAttack(
    "read password hashes by a whole row",
    "Read the password hashes of the workspace that is named as JSON of whole rows.",
    "own",
    "select to_jsonb(u) from app_user u",
  ),
  readAttack(
    "sort people by their password hash",
    "Find a password hash letter by letter by what it is compared with.",
    "own",
    "select id from app_user where password_hash > 'm' order by password_hash",
  ),
  readAttack("read invite hashes", "Read the hashes of the open invites of the workspace.", "own", "select hash from invite"),
  readAttack(
    "read as another role",
    "Become the role that serves all workspaces.",
    "own",
    "set role countersign_runner; select email from app_user",
  ),
  readAttack(
    "read as another session",
    "Become the session of the role that serves all workspaces.",
    "own",
    "set session authorization countersign_runner; select email from app_user",
  ),
  readAttack(
    "read with row security off",
    "Turn row-level security off for the session.",
    "own",
    "set row_security = off; select email from app_user",
  ),
  readAttack(
    "drop a policy",
    "Take row-level security off the table of people.",
    "own",
    "drop policy web_sees_its_workspace on app_user; alter table app_user disable row level security; select email from app_user",
  ),
  readAttack(
    "read the job queue",
    "Read which runs of which workspaces are queued.",
    "none",
    "select data from pgboss.job union all select '{}'::jsonb",
  ),
];
