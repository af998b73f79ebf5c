import type pg from "pg";
import { z } from "zod";
import type { PeopleCommand } from "@/lib/people/command";
import type { PeopleFacts } from "@/lib/people/decide";
import { identitySchema, type IdentityCommand } from "@/lib/people/identity";

const factsSchema = z.object({ identity: identitySchema.nullable(), isIdentityTaken: z.boolean() });

/** Identities of a command's subject, under the runner's role. */
export const getIdentityFacts = async (
  client: pg.PoolClient,
  command: PeopleCommand,
): Promise<Pick<PeopleFacts, "identity" | "isIdentityTaken">> => {
  const named = "identity" in command ? command.identity : null;
  const { rows } = await client.query(
    `select (select json_build_object('issuer', issuer, 'subject', subject) from identity where user_id = $1) as identity,
       exists (select from identity where issuer = $2 and subject = $3) as "isIdentityTaken"`,
    ["user" in command ? command.user : null, named?.issuer ?? null, named?.subject ?? null],
  );

  return factsSchema.parse(rows[0]);
};

type Link = Extract<IdentityCommand, { kind: "people_link_identity" }>;
type Unlink = Extract<IdentityCommand, { kind: "people_unlink_identity" }>;

/** @param made when (ms since 1970), and by which record */
export const linkIdentity = async (
  client: pg.PoolClient,
  { user, identity: { issuer, subject } }: Link,
  { at, seq }: { readonly at: number; readonly seq: number },
): Promise<void> => {
  await client.query(
    `insert into identity (issuer, subject, user_id, created_at, record_seq)
     values ($1, $2, $3, to_timestamp($4::double precision / 1000), $5)`,
    [issuer, subject, user, at, seq],
  );
};

export const unlinkIdentity = async (client: pg.PoolClient, { user, identity: { issuer, subject } }: Unlink): Promise<void> => {
  await client.query("delete from identity where issuer = $1 and subject = $2 and user_id = $3", [issuer, subject, user]);
};
