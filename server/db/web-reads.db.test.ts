/** Forces a review of new readable relations. */
import { afterEach, describe, expect, test } from "vitest";
import { testDatabase } from "@/server/testing/database";
import { queryOn } from "@/server/testing/connections";

const urls = await testDatabase("web");

/** Views have no row security. */
const SELECTABLE = `
  select c.oid, n.nspname || '.' || c.relname as name, c.relrowsecurity as secured
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_t%'
    and has_schema_privilege('countersign_web', n.oid, 'usage') and has_any_column_privilege('countersign_web', c.oid, 'select')`;

/** Policies are OR-ed, so each must be limited. */
const UNLIMITED = `
  select from pg_policy p
  where p.polrelid = s.oid and p.polpermissive and p.polroles && array[0::oid, 'countersign_web'::regrole::oid]
    and (coalesce(pg_get_expr(p.polqual, p.polrelid), 'current_setting(''countersign.workspace''') !~ 'current_setting\\(''countersign\\.workspace'''
      or coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'current_setting(''countersign.workspace''') !~ 'current_setting\\(''countersign\\.workspace''')`;

const listOpenTables = async (): Promise<string[]> => {
  const rows = await queryOn<{ name: string }>(
    urls.admin,
    `select name from (${SELECTABLE}) s where not secured or exists (${UNLIMITED}) order by name`,
  );

  return rows.map(({ name }) => name);
};

const OF_THE_INSTALLATION = [
  // Live runners and their models.
  "public.runner_heartbeat",
  // Ids only; requests are not readable.
  "public.sign_in_request",
  // Cell counts.
  "public.vault_rotation",
];

describe("tables that the web role can select", () => {
  afterEach(async () => {
    await queryOn(urls.admin, "drop table if exists public.later cascade");
  });

  test("are limited to the workspace or have no workspace data", async () => {
    expect(await listOpenTables()).toEqual(OF_THE_INSTALLATION);
    const all = await queryOn<{ name: string }>(urls.admin, SELECTABLE);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.app_user", "public.session", "public.ledger_record"]));
  });

  test.each([
    ["a table without row-level security", "grant select on later to countersign_web"],
    ["a column without row-level security", "grant select (id) on later to countersign_web"],
    ["a table for everybody", "grant select on later to public"],
    ["a view", "create view public.shown as select id from later; grant select on shown to countersign_web"],
    [
      "a policy that lets all rows through beside one that does not",
      `alter table later enable row level security; grant select on later to countersign_web;
       create policy one on later to countersign_web using (id = current_setting('countersign.workspace', true)::uuid);
       create policy all_of_them on later for select using (true)`,
    ],
  ])("%s added by a migration is found", async (_, sql) => {
    await queryOn(urls.admin, `create table public.later (id uuid); ${sql}`);
    expect(await listOpenTables()).toHaveLength(OF_THE_INSTALLATION.length + 1);
  });

  test("about people expose no secret column", async () => {
    const rows = await queryOn<{ name: string; columns: string }>(
      urls.admin,
      `select c.relname as name, string_agg(a.attname, ' ' order by a.attname) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relname in ('app_user', 'invite', 'setup_token', 'identity')
         and has_column_privilege('countersign_web', c.oid, a.attnum, 'select') group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { name: "app_user", columns: "created_at demo email has_password id name" },
      { name: "identity", columns: "created_at issuer record_seq subject user_id" },
      { name: "invite", columns: "auditor created_at created_by email expires_at id revoked_at role used_at used_by workspace_id" },
    ]);
  });

  test("are not its own, and it is a member of no other role", async () => {
    const [found] = await queryOn(
      urls.admin,
      `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as powerful,
         exists (select from pg_auth_members m where m.member = r.oid) as member,
         exists (select from pg_class c where c.relowner = r.oid) or exists (select from pg_proc p where p.proowner = r.oid) as owner,
         has_schema_privilege(r.oid, 'public', 'create') as creates
       from pg_roles r where rolname = 'countersign_web'`,
    );
    expect(found).toEqual({ powerful: false, member: false, owner: false, creates: false });
  });
});

describe("functions with the rights of their owner", () => {
  test("are exactly these, resolve names in one schema only, and are callable by the web role alone", async () => {
    const rows = await queryOn<{ name: string; rest: string }>(
      urls.admin,
      `select p.proname as name, concat_ws(' | ', array_to_string(p.proconfig, ','), p.proowner = w.relowner,
         (select string_agg(a.grantee::regrole::text, ',' order by a.grantee::regrole::text) from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
          where a.grantee <> p.proowner)) as rest
       from pg_proc p, pg_class w
       where p.prosecdef and p.pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and w.oid = 'public.workspace'::regclass order by 1`,
    );
    const names = [
      "agent_token_of_family",
      "agent_token_workspace",
      "demo_accounts",
      "demo_workspace",
      "has_admin",
      "has_signed_in_from",
      "is_setup_token_open",
      "member_of",
      "open_invite",
      "open_session",
      "session_memberships",
      "session_workspace",
    ];
    expect(rows).toEqual(names.map((name) => ({ name, rest: "search_path=public, pg_temp | t | countersign_web" })));
  });
});
