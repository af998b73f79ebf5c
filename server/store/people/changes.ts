/** People data, under the runner's role. */
import type pg from "pg";
import { z } from "zod";
import { INVITE_LIFE_MS, standingSchema, type PeopleCommand } from "@/lib/people/command";
import type { PeopleFacts } from "@/lib/people/decide";
import { isAllowed } from "@/lib/roles";
import { getIdentityFacts, linkIdentity, unlinkIdentity } from "./identity-changes";

const personSchema = standingSchema.extend({ isDisabled: z.boolean(), hasPassword: z.boolean() });
const inviteSchema = standingSchema.extend({ email: z.string(), hash: z.string() });
const countsSchema = z.object({ isMember: z.boolean(), openInvites: z.number().int() });

const OPEN = "used_at is null and revoked_at is null and expires_at > to_timestamp($2::double precision / 1000)";

/** Rows of a command's subjects. @param at ms since 1970 */
export const getPeopleFacts = async (
  client: pg.PoolClient,
  workspaceId: string,
  command: PeopleCommand,
  at: number,
): Promise<PeopleFacts> => {
  const people = await client.query(
    `select m.role, m.auditor, u.disabled_at is not null as "isDisabled", u.password_hash is not null as "hasPassword"
     from membership m join app_user u on u.id = m.user_id where m.workspace_id = $1 and m.user_id = $2`,
    [workspaceId, "user" in command ? command.user : null],
  );
  const invites = await client.query(`select role, auditor, email, hash from invite where workspace_id = $1 and ${OPEN} and id = $3`, [
    workspaceId,
    at,
    command.kind === "people_withdraw" ? command.invite : null,
  ]);
  const counts = await client.query(
    `select (select count(*)::int from invite where workspace_id = $1 and ${OPEN}) as "openInvites",
       exists (select from membership m join app_user u on u.id = m.user_id where m.workspace_id = $1 and u.email = $3) as "isMember"`,
    [workspaceId, at, command.kind === "people_invite" ? command.email : null],
  );

  return {
    ...(await getIdentityFacts(client, command)),
    person: personSchema.nullable().parse(people.rows[0] ?? null),
    invite: inviteSchema.nullable().parse(invites.rows[0] ?? null),
    ...countsSchema.parse(counts.rows[0]),
  };
};

const withdrawInvitesOf = (client: pg.PoolClient, workspaceId: string, userId: string, at: number) =>
  client.query(
    `update invite set revoked_at = to_timestamp($3::double precision / 1000)
     where workspace_id = $1 and created_by = $2 and used_at is null and revoked_at is null`,
    [workspaceId, userId, at],
  );

type Made = {
  readonly by: string;
  /** ms since 1970 */
  readonly at: number;
  readonly seq: number;
};

/** Applies a command in its record's transaction. */
export const changePeople = async (client: pg.PoolClient, workspaceId: string, command: PeopleCommand, made: Made): Promise<void> => {
  const { by, at } = made;
  switch (command.kind) {
    case "people_invite": {
      const { invite, hash, email, standing } = command;
      await client.query(
        `insert into invite (workspace_id, id, hash, email, role, auditor, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::double precision / 1000), to_timestamp($9::double precision / 1000))`,
        [workspaceId, invite, hash, email, standing.role, standing.auditor, by, at, at + INVITE_LIFE_MS],
      );
      break;
    }
    case "people_withdraw":
      await client.query("update invite set revoked_at = to_timestamp($3::double precision / 1000) where workspace_id = $1 and id = $2", [
        workspaceId,
        command.invite,
        at,
      ]);
      break;
    case "people_change":
      await client.query("update membership set role = $3, auditor = $4 where workspace_id = $1 and user_id = $2", [
        workspaceId,
        command.user,
        command.standing.role,
        command.standing.auditor,
      ]);
      if (!isAllowed(command.standing.role, "people.manage")) await withdrawInvitesOf(client, workspaceId, command.user, at);
      break;
    case "people_disable":
      await client.query("update app_user set disabled_at = to_timestamp($2::double precision / 1000) where id = $1", [command.user, at]);
      await withdrawInvitesOf(client, workspaceId, command.user, at);
      break;
    case "people_enable":
      await client.query("update app_user set disabled_at = null where id = $1", [command.user]);
      break;
    case "people_end_sessions":
    case "people_sign_out":
      break;
    case "people_link_identity":
      await linkIdentity(client, command, made);
      break;
    case "people_unlink_identity":
      await unlinkIdentity(client, command);
      break;
    default:
      command satisfies never;
  }
};
