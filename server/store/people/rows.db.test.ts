import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { withClient } from "@/server/db/connect";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { toIdentity } from "./identities";
import { findOpenInvite } from "./invites";
import { isMember, listInvites, listMembers } from "./members";
import { getNames } from "./people";
import { allowLink, findSession, listSessions, revokeSession, takeLink, touchSession } from "./sessions";
import { hasAdmin, hasSignedInFrom, isSetupTokenOpen } from "./setup";
import { listSessionMemberships } from "./session-memberships";
import { findMember } from "./users";
import { findDemoWorkspace, listDemoAccounts } from "@/server/store/workspaces/workspaces";

const urls = await testDatabase("web");

const HOUR_MS = 3_600_000;
const NOW = new Date();
const LONG_AGO = new Date(0);
const at = (fromNowMs: number) => new Date(NOW.getTime() + fromNowMs);

const write = (sql: string, values: unknown[]) => queryOn(urls.admin, sql, values);

const runOn = (url: string, sql: string): Promise<unknown> => withClient(url, (client) => client.query(sql));

type Place = {
  readonly workspace: string;
  readonly person: string;
  readonly email: string;
  readonly session: string;
  readonly hash: string;
  readonly invited: string;
};

const makePlace = async ({ demo = false } = {}): Promise<Place> => {
  const [workspace, person, session] = [randomUUID(), randomUUID(), randomUUID()];
  const email = `${person}@example.com`;
  const [hash, invited] = [randomUUID(), `invited.${person}@example.com`];
  await write("insert into workspace (id, name, demo) values ($1, 'Place', $2)", [workspace, demo]);
  await write("insert into app_user (id, email, name, password_hash, demo) values ($1, $2, 'Ada', $3, $4)", [
    person,
    email,
    demo ? null : `hash of ${person}`,
    demo,
  ]);
  await write("insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [workspace, person]);
  await write("insert into identity (issuer, subject, user_id) values ('https://issuer', $1, $2)", [email, person]);
  await write("insert into session (id, user_id, workspace_id, address, user_agent) values ($1, $2, $3, '10.0.0.0', 'Firefox')", [
    session,
    person,
    workspace,
  ]);
  await write(
    `insert into invite (workspace_id, id, hash, email, role, created_by, created_at, expires_at)
     values ($1, gen_random_uuid(), $2, $3, 'viewer', $4, now(), $5)`,
    [workspace, hash, invited, person, at(HOUR_MS)],
  );

  return { workspace, person, email, session, hash, invited };
};

const mine = await makePlace();
const theirs = await makePlace();

const urlNaming = (workspace: string): string => {
  const url = new URL(urls.web);
  url.searchParams.set("options", `-c countersign.workspace=${workspace}`);

  return url.toString();
};

const OF_PEOPLE = {
  workspace: "id",
  membership: "user_id",
  app_user: "id",
  session: "user_id",
  identity: "user_id",
  invite: "created_by",
} as const;

describe("rows about people", () => {
  test.each(Object.entries(OF_PEOPLE))("of %s are limited to the named workspace", async (table, column) => {
    const rows = (workspace: string, condition = "true") =>
      queryOn<{ id: string }>(urlNaming(workspace), `select ${column} as id from ${table} where ${condition}`);
    const idOf = ({ workspace, person }: Place) => (table === "workspace" ? workspace : person);
    expect(await rows("")).toEqual([]);
    expect(await rows(randomUUID())).toEqual([]);
    expect(await rows(mine.workspace)).toEqual([{ id: idOf(mine) }]);
    expect(await rows(theirs.workspace)).toEqual([{ id: idOf(theirs) }]);
    expect(await rows(mine.workspace, `${column} = '${idOf(theirs)}'`)).toEqual([]);
  });

  test("are writable in that workspace only", async () => {
    const change = (session: string) =>
      queryOn(urlNaming(mine.workspace), "update session set seen_at = now() where id = $1 returning id", [session]);
    expect(await change(theirs.session)).toEqual([]);
    expect(await change(mine.session)).toEqual([{ id: mine.session }]);
    const open = (person: string) =>
      queryOn(urlNaming(mine.workspace), "insert into session (id, user_id, address, user_agent) values ($1, $2, '', '')", [
        randomUUID(),
        person,
      ]);
    await expect(open(theirs.person)).rejects.toThrow(/row-level security|permission denied/u);
  });

  test("are listed in their own workspace", async () => {
    expect(await listMembers(mine.workspace, LONG_AGO)).toMatchObject([
      { id: mine.person, email: mine.email, signsInBy: "password", identity: { subject: mine.email }, sessions: 1 },
    ]);
    expect(await listInvites(mine.workspace, NOW.getTime())).toMatchObject([{ email: mine.invited, status: "open" }]);
    expect(await getNames(mine.workspace, [mine.person, theirs.person])).toEqual({ [mine.person]: "Ada" });
    expect(await isMember(mine.workspace, theirs.person)).toBe(false);
    expect(await isMember(mine.workspace, mine.person)).toBe(true);
    expect(await listSessions(mine.workspace, theirs.person, LONG_AGO)).toEqual([]);
    expect(await listSessions(mine.workspace, mine.person, LONG_AGO)).toMatchObject([{ id: mine.session }]);
    expect(await toIdentity(mine.workspace, theirs.person)).toBeNull();
    expect(await toIdentity(mine.workspace, mine.person)).toMatchObject({ subject: mine.email });
  });
});

describe("before a workspace is known", () => {
  test("a person is found by id", async () => {
    const user = { id: mine.person, email: mine.email, name: "Ada", hasPassword: true, sessionVersion: 1 };
    expect(await findMember(mine.person, mine.session)).toMatchObject({ user, workspace: { id: mine.workspace }, role: "admin" });
    expect(await findMember(mine.person, theirs.session)).toBeNull();
    expect(await hasSignedInFrom(mine.email, "10.0.0.0")).toBe(true);
    expect(await hasSignedInFrom(theirs.email, "10.0.1.0")).toBe(false);
  });

  test("a session is used and ended by id", async () => {
    const { person: userId, workspace, session: id } = await makePlace();
    await touchSession(id, at(1_000));
    await allowLink(id, at(HOUR_MS));
    expect(await takeLink(id, NOW)).toBe(true);
    expect(await takeLink(id, NOW)).toBe(false);
    expect(await findSession(id, userId, LONG_AGO)).toMatchObject({ seenAt: at(1_000), provedAt: null });
    expect(await findSession(id, mine.person, LONG_AGO)).toBeNull();
    expect(await revokeSession(mine.person, id, NOW)).toBe(false);
    expect((await listSessions(workspace, userId, LONG_AGO)).map((row) => row.id)).toEqual([id]);
    expect(await revokeSession(userId, id, NOW)).toBe(true);
    expect(await findSession(id, userId, LONG_AGO)).toBeNull();
  });

  test("an invite is found by its link while open", async () => {
    const place = await makePlace();
    const { workspace, hash, invited: email } = place;
    expect(await findOpenInvite(hash, NOW)).toMatchObject({ hash, email, workspaceId: workspace, workspace: "Place", role: "viewer" });
    expect(await findOpenInvite(hash, at(2 * HOUR_MS))).toBeNull();
    await write("update invite set expires_at = now() - interval '1 second' where hash = $1", [hash]);
    expect(await findOpenInvite(hash, LONG_AGO)).toBeNull();
    const revoked = await makePlace();
    await write("update invite set revoked_at = now() where hash = $1", [revoked.hash]);
    expect(await findOpenInvite(revoked.hash, NOW)).toBeNull();
  });

  test("a session lists its person's workspaces, except those that disabled them, until it is revoked", async () => {
    const [home, second, third] = [await makePlace(), await makePlace(), await makePlace()];
    const join = "insert into membership (workspace_id, user_id, role, disabled_at) values ($1, $2, 'viewer', $3)";
    await write(join, [second.workspace, home.person, null]);
    await write(join, [third.workspace, home.person, NOW]);
    expect((await listSessionMemberships(home.session)).map(({ workspaceId, isCurrent }) => [workspaceId, isCurrent])).toEqual([
      [home.workspace, true],
      [second.workspace, false],
    ]);
    expect(await findMember(home.person, second.session)).toBeNull();
    expect(await queryOn(urlNaming(second.workspace), "select id from session where user_id = $1", [home.person])).toEqual([]);
    await revokeSession(home.person, home.session, NOW);
    expect(await listSessionMemberships(home.session)).toEqual([]);
  });

  test("a set-up link is open until used or expired", async () => {
    const hash = randomUUID();
    await write("insert into setup_token (hash, expires_at) values ($1, $2)", [hash, at(HOUR_MS)]);
    expect(await isSetupTokenOpen(hash, NOW.getTime())).toBe(true);
    expect(await isSetupTokenOpen(hash, at(2 * HOUR_MS).getTime())).toBe(false);
    expect(await isSetupTokenOpen(randomUUID(), NOW.getTime())).toBe(false);
    await write("update setup_token set used_at = now() where hash = $1", [hash]);
    expect(await isSetupTokenOpen(hash, NOW.getTime())).toBe(false);
    expect(await hasAdmin()).toBe(true);
  });

  test("the demo and its accounts are found", async () => {
    expect([await findDemoWorkspace(), await listDemoAccounts()]).toEqual([null, []]);
    const demo = await makePlace({ demo: true });
    expect(await findDemoWorkspace()).toEqual({ id: demo.workspace, name: "Place" });
    expect(await listDemoAccounts()).toEqual([{ userId: demo.person, name: "Ada", sessionVersion: 1, role: "admin", second: false }]);
  });
});

const ask = (sql: string): Promise<Record<string, unknown>[]> => queryOn(urls.web, sql);

const GUESSES = ["''", "'%'", "'*'", "null", "'_'", "'.*'", "E'\\'\\' or true --'"];
const IDS = ["null", "'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"];

describe("functions without a workspace", () => {
  test.each([
    ...GUESSES.flatMap((guess) => [
      `select * from open_invite(${guess}, '-infinity')`,
      `select * from open_invite(${guess}, null)`,
      `select where has_signed_in_from(${guess}, ${guess})`,
      `select where has_signed_in_from('${mine.email}', ${guess})`,
      `select where is_setup_token_open(${guess}, '-infinity')`,
      `select where agent_token_workspace(${guess}) is not null`,
    ]),
    ...IDS.flatMap((id) => [
      `select * from member_of(${id}, '${mine.session}')`,
      `select * from member_of('${mine.person}', ${id})`,
      `select * from session_memberships(${id})`,
      `select where session_workspace(${id}) is not null`,
      `select * from open_session(${id}, '${mine.person}')`,
      `select * from open_session('${mine.session}', ${id})`,
    ]),
  ])("reveal nothing to a guess: %s", async (sql) => {
    expect(await ask(sql)).toEqual([]);
  });

  test("resolve fixed schemas whatever the session's settings and temporary tables", async () => {
    const trick = `set search_path = pg_temp, public; create temp table app_user as select '${mine.person}'::uuid as id, 'planted'::text as email;
      create temp table membership as select '${mine.workspace}'::uuid as workspace_id, '${theirs.person}'::uuid as user_id;`;
    const seen = async (sql: string) =>
      JSON.stringify(await runOn(urls.web, `${trick} set countersign.workspace = '${mine.workspace}'; ${sql}`));
    const member = await seen(`select * from public.member_of('${mine.person}', '${mine.session}')`);
    expect([member.includes(mine.email), member.includes("planted")]).toEqual([true, false]);
    // The policy on people uses the real memberships.
    const people = await seen("select email from public.app_user");
    expect([people.includes(mine.email), people.includes(theirs.email)]).toEqual([true, false]);
  });

  test.each(["runner", "customers"] as const)("are not executable by the %s role", async (role) => {
    await expect(queryOn(urls[role], "select * from public.member_of($1, $2)", [mine.person, mine.session])).rejects.toThrow(
      /permission denied/u,
    );
  });
});

describe("the web role cannot escape it", () => {
  test.each([
    ["another role", "set role countersign_runner; select 1 from app_user"],
    ["another session", "set session authorization countersign_runner; select 1 from app_user"],
    ["row security off", "set row_security = off; select id from app_user"],
    ["no row security on the table", "alter table app_user disable row level security"],
    ["a policy", "create policy all_of_them on app_user to countersign_web using (true)"],
    ["a grant", "grant select on app_user to countersign_web; select password_hash from app_user"],
    [
      "another function of the same name",
      "create or replace function public.session_workspace(session uuid) returns uuid return null::uuid",
    ],
    ["a password hash", "select password_hash from app_user"],
    ["a whole row", "select u from app_user u"],
    ["a whole row as JSON", "select to_jsonb(u) from app_user u"],
    ["a condition on the hash", "select id from app_user where password_hash like '$argon2%'"],
    ["what an update returns", "update app_user set name = name returning password_hash"],
    ["an invite's hash", "select hash from invite"],
    ["a set-up token", "select hash from setup_token"],
    ["a copy", "copy app_user to stdout"],
    ["the statistics of a column", "select stavalues1 from pg_statistic"],
  ])("by %s", async (_, sql) => {
    await expect(runOn(urlNaming(mine.workspace), sql)).rejects.toThrow(/permission denied|must be owner|affected by row-level security/u);
  });

  test("by a condition evaluated before the policy", async () => {
    const seen = await withClient(urlNaming(mine.workspace), async (client) => {
      const notices: (string | undefined)[] = [];
      client.on("notice", ({ message }) => void notices.push(message));
      await client.query(
        `create function pg_temp.tell(address text) returns boolean language plpgsql cost 0.0000001 as
         $$ begin raise notice '%', address; return true; end $$`,
      );
      await client.query("select from app_user where pg_temp.tell(email)");

      return notices;
    });
    expect(seen).toEqual([mine.email]);
  });
});
