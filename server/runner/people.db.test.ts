import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import type { PeopleCommand } from "@/lib/people/command";
import type { JoinCommand } from "@/lib/people/membership";
import type { Role } from "@/lib/roles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openCommands, recordAttempt, recordAttempts } from "@/server/runner/attempts";
import { command, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { outcomeSchema, listPendingCommands } from "@/server/store/runs/commands";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { hashSetupToken } from "@/server/auth/setup-token";
import { recordRows } from "@/server/testing/authority";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const newMember = async (role: Role, workspace = desk.workspace): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Sample user')", [id, `${id}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  await recordRows(desk.deps, workspace);

  return id;
};

const send = (userId: string, body: PeopleCommand | JoinCommand): Promise<string> =>
  command(desk, getWorkspaceLedgerId(desk.workspace), userId, body);
const carryOut = () => recordAttempts(desk.deps, desk.workspace, getWorkspaceLedgerId(desk.workspace));
const outcomeOf = async (id: string) => {
  const [row] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);

  return outcomeSchema.parse(row?.outcome);
};
const ask = async (userId: string, body: PeopleCommand | JoinCommand) => {
  const id = await send(userId, body);
  await carryOut();

  return outcomeOf(id);
};
const recordAt = async (seq: number) => {
  const [stored] = await query<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 and seq = $3",
    [desk.workspace, getWorkspaceLedgerId(desk.workspace), seq],
  );

  return stored ? (await verifyRecord(stored, await listPublicKeys()))?.record : null;
};
const standingOf = async (user: string) => {
  const [row] = await query(
    urls.admin,
    "select role, auditor, disabled_at is not null as disabled, session_version as version from membership where user_id = $1",
    [user],
  );

  return row;
};

const VIEWER = { role: "viewer", auditor: false } as const;
const settings = (role: Role, auditor: boolean, disabled: boolean) => digestOf("settings", { role, auditor, disabled });

describe("an admin's command about people", () => {
  it("changes role and add-on, on record with before and after", async () => {
    const [admin, user] = [await newMember("admin"), await newMember("viewer")];
    const { seq, refusal } = await ask(admin, { kind: "people_change", user, was: VIEWER, standing: { role: "reviewer", auditor: true } });

    expect(refusal).toBeNull();
    expect(await standingOf(user)).toMatchObject({ role: "reviewer", auditor: true });
    expect(await recordAt(seq)).toMatchObject({
      kind: "transition",
      proposal_kind: "people_step",
      principal: { type: "user", id: admin, role: "admin" },
      control: [
        {
          type: "admin_changed",
          area: "people",
          subject: user,
          step: "role_changed",
          before: settings("viewer", false, false),
          after: settings("reviewer", true, false),
        },
      ],
    });
  });

  it("is refused on record once they are no longer admin", async () => {
    const [asking, user] = [await newMember("admin"), await newMember("viewer")];
    const id = await send(asking, { kind: "people_change", user, was: VIEWER, standing: { role: "admin", auditor: false } });
    await asAdmin(urls.admin, "update membership set role = 'builder' where user_id = $1", [asking]);
    await recordRows(desk.deps, desk.workspace);
    await carryOut();
    const { seq, refusal } = await outcomeOf(id);

    expect(refusal?.code).toBe("principal_not_allowed");
    expect(await recordAt(seq)).toMatchObject({ kind: "refusal", principal: { id: asking, role: "builder" }, control: [] });
    expect(await standingOf(user)).toMatchObject({ role: "viewer" });
  });

  it("cannot be about oneself, so of two admins removing each other one remains", async () => {
    const [one, other] = [await newMember("admin"), await newMember("admin")];
    const admin = { role: "admin", auditor: false } as const;
    expect((await ask(one, { kind: "people_change", user: one, was: admin, standing: VIEWER })).refusal?.code).toBe("own_account");
    const sent = [await send(one, { kind: "people_disable", user: other }), await send(other, { kind: "people_disable", user: one })];
    const pending = await listPendingCommands(desk.workspace, getWorkspaceLedgerId(desk.workspace));
    await Promise.all((await openCommands(desk.deps, pending)).map((opened) => recordAttempt(desk.deps, opened)));
    const outcomes = await Promise.all(sent.map(outcomeOf));

    expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1);
    expect([await standingOf(one), await standingOf(other)].filter((standing) => standing?.["disabled"] === false)).toHaveLength(1);
  });

  it("disables a person and ends their sessions, which stay ended on re-enabling", async () => {
    const [admin, user] = [await newMember("admin"), await newMember("builder")];
    const { sessionId: session } = await beginTestSession(user, { address: "203.0.113.x", userAgent: "Test" }, null);
    const isOpen = async () =>
      (await query(urls.admin, "select 1 from session where id = $1 and revoked_at is null", [session])).length === 1;
    expect(await isOpen()).toBe(true);

    expect((await ask(admin, { kind: "people_disable", user })).refusal).toBeNull();
    expect([await standingOf(user), await isOpen()]).toEqual([{ role: "builder", auditor: false, disabled: true, version: 2 }, false]);
    expect((await ask(admin, { kind: "people_disable", user })).refusal?.code).toBe("person_changed");
    expect((await ask(admin, { kind: "people_enable", user })).refusal).toBeNull();
    expect([await standingOf(user), await isOpen()]).toEqual([{ role: "builder", auditor: false, disabled: false, version: 2 }, false]);
  });

  it("ends one session of its person only", async () => {
    const [admin, user, neighbour] = [await newMember("admin"), await newMember("builder"), await newMember("builder")];
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, owner] of [user, user, neighbour].entries()) {
      const text = "insert into session (id, user_id, workspace_id, address, user_agent) values ($1, $2, $3, '', '')";
      await asAdmin(urls.admin, text, [ids[index], owner, desk.workspace]);
    }
    const open = async () =>
      (await query<{ id: string }>(urls.admin, "select id from session where id = any ($1) and revoked_at is null", [ids])).length;

    expect((await ask(admin, { kind: "people_end_sessions", user, session: ids[2] ?? "" })).refusal).toBeNull();
    expect(await open()).toBe(3);
    expect((await ask(admin, { kind: "people_end_sessions", user, session: ids[0] ?? "" })).refusal).toBeNull();
    expect([await open(), await standingOf(user)]).toEqual([2, expect.objectContaining({ version: 1 })]);
    expect((await ask(admin, { kind: "people_end_sessions", user, session: null })).refusal).toBeNull();
    expect([await open(), await standingOf(user)]).toEqual([1, expect.objectContaining({ version: 2 })]);
  });

  it("invites for 72 hours, once per non-member address, with neither address nor token on record", async () => {
    const admin = await newMember("admin");
    const invite = {
      kind: "people_invite",
      invite: randomUUID(),
      hash: "b".repeat(64),
      email: "new@example.com",
      standing: VIEWER,
    } as const;
    const { seq } = await ask(admin, invite);
    const [row] = await query(
      urls.admin,
      "select role, auditor, created_by, extract(epoch from expires_at - created_at)::int as seconds from invite where id = $1",
      [invite.invite],
    );

    expect(row).toEqual({ role: "viewer", auditor: false, created_by: admin, seconds: 72 * 3_600 });
    const record = JSON.stringify(await recordAt(seq));
    expect([record.includes("example.com"), record.includes(invite.hash), record.includes(invite.invite)]).toEqual([false, false, true]);
    expect((await ask(admin, { ...invite, invite: randomUUID(), hash: "c".repeat(64), email: `${admin}@example.com` })).refusal?.code).toBe(
      "person_known",
    );
    expect((await ask(admin, { kind: "people_withdraw", invite: invite.invite })).refusal).toBeNull();
    expect((await ask(admin, { kind: "people_withdraw", invite: invite.invite })).refusal?.code).toBe("not_found");
  });

  it.each([
    ["is put out", (user: string) => ({ kind: "people_disable", user }) as const],
    [
      "is no admin any more",
      (user: string) =>
        ({ kind: "people_change", user, was: { role: "admin", auditor: false }, standing: { role: "viewer", auditor: false } }) as const,
    ],
  ])("closes only the invites of an admin who %s", async (_what, change) => {
    const [admin, leaving] = [await newMember("admin"), await newMember("admin")];
    const inviteBy = async (by: string) => {
      const id = randomUUID();
      const hash = id.replaceAll("-", "").repeat(2);
      await ask(by, { kind: "people_invite", invite: id, hash, email: `${id}@example.com`, standing: VIEWER });

      return id;
    };
    const [theirs, other] = [await inviteBy(leaving), await inviteBy(admin)];
    expect((await ask(admin, change(leaving))).refusal).toBeNull();
    const open = await query<{ id: string }>(urls.admin, "select id from invite where id = any($1) and revoked_at is null", [
      [theirs, other],
    ]);

    expect(open.map(({ id }) => id)).toEqual([other]);
  });

  it("finds no one of another workspace", async () => {
    const workspace = randomUUID();
    await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Elsewhere')", [workspace]);
    const [admin, stranger] = [await newMember("admin"), await newMember("viewer", workspace)];
    const outcomes = [
      await ask(admin, { kind: "people_change", user: stranger, was: VIEWER, standing: { role: "admin", auditor: true } }),
      await ask(admin, { kind: "people_disable", user: stranger }),
      await ask(admin, { kind: "people_end_sessions", user: stranger, session: null }),
    ];

    expect(outcomes.map(({ refusal }) => refusal?.code)).toEqual(["not_found", "not_found", "not_found"]);
    expect(await standingOf(stranger)).toEqual({ role: "viewer", auditor: false, disabled: false, version: 1 });
  });
});

describe("the web process alone", () => {
  it.each([
    ["changes no role", "update membership set role = 'admin' where user_id = $1"],
    ["grants no audit add-on", "update membership set auditor = true where user_id = $1"],
    ["re-enables no user", "update membership set disabled_at = null where user_id = $1"],
    ["changes no session version", "update membership set session_version = 1 where user_id = $1"],
  ])("%s", async (_what, sql) => {
    const user = await newMember("viewer");

    await expect(query(urls.web, sql, [user])).rejects.toThrow("permission denied");
  });

  it.each([
    ["makes no account", "insert into app_user (id, email, name) values ($1, 'late@example.com', 'Late')"],
    ["adds no member", "insert into membership (workspace_id, user_id, role) select workspace_id, $1, 'admin' from membership limit 1"],
    ["founds no workspace", "insert into workspace (id, name) values ($1, 'Own')"],
    ["sets no password", "update app_user set password_hash = 'argon2id' where id = $1"],
    ["uses no invite", "update invite set used_at = now(), used_by = $1"],
    ["links no identity", "insert into identity (issuer, subject, user_id) values ('https://id.example.com', 'late', $1)"],
  ])("%s", async (_what, sql) => {
    await expect(query(urls.web, sql, [await newMember("viewer")])).rejects.toThrow("permission denied");
  });
});

describe("a person joining by invite", () => {
  const invited = async (role: Role) => {
    const admin = await newMember("admin");
    const token = randomUUID();
    const email = `${token}@example.com`;
    const invite = {
      kind: "people_invite",
      invite: randomUUID(),
      hash: hashSetupToken(token),
      email,
      standing: { role, auditor: false },
    } as const;
    expect((await ask(admin, invite)).refusal).toBeNull();

    return { token, email, id: invite.invite };
  };
  const join = (token: string, user = randomUUID()) =>
    ask(user, { kind: "member_join", token, name: "Late", password_hash: "argon2id-of-a-password" }).then((outcome) => ({
      ...outcome,
      user,
    }));

  it("becomes a member as invited, once, on record with their password", async () => {
    const { token } = await invited("reviewer");
    const { user, seq } = await join(token);
    expect(await standingOf(user)).toMatchObject({ role: "reviewer", auditor: false });
    expect((await recordAt(seq))?.control).toMatchObject([
      { area: "people", subject: user, step: "joined", after: settings("reviewer", false, false) },
      { area: "passwords", subject: user, step: "password_set", after: digestOf("settings", { password_hash: "argon2id-of-a-password" }) },
      { type: "passkey_allowed", user },
      { area: "people", step: "invite_used", after: null },
    ]);
    expect((await join(token)).refusal?.code).toBe("not_found");
  });

  it("is rejected with another token, or when the invite's role was changed in the database", async () => {
    const { token, id } = await invited("viewer");
    expect((await join(`${token}x`)).refusal?.code).toBe("not_found");
    await asAdmin(urls.admin, "update invite set role = 'admin' where id = $1", [id]);
    const { user, refusal } = await join(token);
    expect(refusal?.code).toBe("projection_mismatch");
    expect(await standingOf(user)).toBeUndefined();
  });
});
