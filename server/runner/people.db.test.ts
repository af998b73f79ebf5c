import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { genuineRecord, type StoredRecord } from "@/lib/engine/stored-record";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { digestOf } from "@/lib/hash";
import type { PeopleCommand } from "@/lib/people/command";
import type { Role } from "@/lib/roles";
import { beginSession } from "@/server/auth/session";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { carryOutPeople, peopleCommandOf } from "@/server/runner/people";
import { openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { outcomeSchema, pendingCommands, type PendingCommand } from "@/server/store/commands";
import { listPublicKeys } from "@/server/store/signing-keys";
import { testDatabase } from "@/server/testing/database";
import { useDatabase } from "@/server/db/client";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const newMember = async (role: Role, workspace = desk.workspace): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Somebody')", [id, `${id}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return id;
};

/** Sends a command as the web process does. @returns its id */
const send = async (userId: string, body: PeopleCommand): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into command (workspace_id, id, run_id, user_id, kind, body) values ($1, $2, $3, $4, $5, $6)", [
    desk.workspace,
    id,
    workspaceLedgerId(desk.workspace),
    userId,
    body.kind,
    Buffer.from(desk.deps.vault.sealCommand(desk.workspace, id, body)),
  ]);

  return id;
};
const carryOut = () => recordAttempts(desk.deps, desk.workspace, workspaceLedgerId(desk.workspace));
const asked = (command: PendingCommand): PeopleCommand => {
  const body = peopleCommandOf(desk.deps, command);
  if (!body) throw new Error("this is no command about people");

  return body;
};
const outcomeOf = async (id: string) => {
  const [row] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);

  return outcomeSchema.parse(row?.outcome);
};
const ask = async (userId: string, body: PeopleCommand) => {
  const id = await send(userId, body);
  await carryOut();

  return outcomeOf(id);
};
/** The record, when its signature is a known key's. */
const recordAt = async (seq: number) => {
  const [stored] = await query<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 and seq = $3",
    [desk.workspace, workspaceLedgerId(desk.workspace), seq],
  );

  return stored ? (await genuineRecord(stored, await listPublicKeys()))?.record : null;
};
const standingOf = async (user: string) => {
  const [row] = await query(
    urls.admin,
    `select m.role, m.auditor, u.disabled_at is not null as disabled, u.session_version as version
     from membership m join app_user u on u.id = m.user_id where m.user_id = $1`,
    [user],
  );

  return row;
};

const VIEWER = { role: "viewer", auditor: false } as const;
const settings = (role: Role, auditor: boolean, disabled: boolean) => digestOf("settings", { role, auditor, disabled });

describe("what an admin asks about people", () => {
  it("gives somebody another role and the add-on, on record with what was and what is", async () => {
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

  it("is refused on record when they are no admin any more, whatever they were when they asked", async () => {
    const [asking, user] = [await newMember("admin"), await newMember("viewer")];
    const id = await send(asking, { kind: "people_change", user, was: VIEWER, standing: { role: "admin", auditor: false } });
    await asAdmin(urls.admin, "update membership set role = 'builder' where user_id = $1", [asking]);
    await carryOut();
    const { seq, refusal } = await outcomeOf(id);

    expect(refusal?.code).toBe("principal_not_allowed");
    expect(await recordAt(seq)).toMatchObject({ kind: "refusal", principal: { id: asking, role: "builder" }, control: [] });
    expect(await standingOf(user)).toMatchObject({ role: "viewer" });
  });

  it("cannot be about oneself, so that two admins who put each other out at once leave one of them", async () => {
    const [one, other] = [await newMember("admin"), await newMember("admin")];
    const admin = { role: "admin", auditor: false } as const;
    expect((await ask(one, { kind: "people_change", user: one, was: admin, standing: VIEWER })).refusal?.code).toBe("own_account");
    const sent = [await send(one, { kind: "people_disable", user: other }), await send(other, { kind: "people_disable", user: one })];
    const pending = await pendingCommands(desk.workspace, workspaceLedgerId(desk.workspace));
    // Both are looked at while both are admins; then they take turns.
    await Promise.all(pending.map((command) => carryOutPeople(desk.deps, command, asked(command))));
    const outcomes = await Promise.all(sent.map(outcomeOf));

    expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1);
    expect([await standingOf(one), await standingOf(other)].filter((standing) => standing?.["disabled"] === false)).toHaveLength(1);
  });

  it("disables somebody and ends their sessions, which stay ended when they are let in again", async () => {
    const [admin, user] = [await newMember("admin"), await newMember("builder")];
    await useDatabase(urls.web);
    const session = await beginSession(user, { address: "203.0.113.x", userAgent: "Test" }, null);
    await useDatabase(urls.runner);
    const isOpen = async () =>
      (await query(urls.admin, "select 1 from session where id = $1 and revoked_at is null", [session])).length === 1;
    expect(await isOpen()).toBe(true);

    expect((await ask(admin, { kind: "people_disable", user })).refusal).toBeNull();
    expect([await standingOf(user), await isOpen()]).toEqual([{ role: "builder", auditor: false, disabled: true, version: 2 }, false]);
    expect((await ask(admin, { kind: "people_disable", user })).refusal?.code).toBe("person_changed");
    expect((await ask(admin, { kind: "people_enable", user })).refusal).toBeNull();
    expect([await standingOf(user), await isOpen()]).toEqual([{ role: "builder", auditor: false, disabled: false, version: 2 }, false]);
  });

  it("ends one session and leaves the others, and never somebody else's", async () => {
    const [admin, user, neighbour] = [await newMember("admin"), await newMember("builder"), await newMember("builder")];
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, owner] of [user, user, neighbour].entries()) {
      await asAdmin(urls.admin, "insert into session (id, user_id, address, user_agent) values ($1, $2, '', '')", [ids[index], owner]);
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

  it("invites for 72 hours, once per address that is not a member's, and the record says neither address nor token", async () => {
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
  ])("closes the invites of an admin who %s, and nobody else's", async (_what, change) => {
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

  it("finds nobody of another workspace", async () => {
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

describe("the web process by itself", () => {
  it.each([
    ["gives nobody a role", "update membership set role = 'admin' where user_id = $1"],
    ["gives nobody the add-on", "update membership set auditor = true where user_id = $1"],
    ["lets nobody in again", "update app_user set disabled_at = null where id = $1"],
    ["changes no session version", "update app_user set session_version = 1 where id = $1"],
  ])("%s", async (_what, sql) => {
    const user = await newMember("viewer");

    await expect(query(urls.web, sql, [user])).rejects.toThrow("permission denied");
  });

  it("makes nobody a member of a workspace that has members, but by an invite that was just used, as it says", async () => {
    const admin = await newMember("admin");
    const newcomer = randomUUID();
    const invite = {
      kind: "people_invite",
      invite: randomUUID(),
      hash: "d".repeat(64),
      email: "late@example.com",
      standing: VIEWER,
    } as const;
    await ask(admin, invite);
    await query(urls.web, "insert into app_user (id, email, name) values ($1, 'late@example.com', 'Late')", [newcomer]);
    const join = (role: string) =>
      query(urls.web, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [desk.workspace, newcomer, role]);

    await expect(join("viewer")).rejects.toThrow("without an invite");
    await query(urls.web, "update invite set used_at = now(), used_by = $2 where id = $1", [invite.invite, newcomer]);
    await expect(join("admin")).rejects.toThrow("without an invite");
    await join("viewer");
    expect(await standingOf(newcomer)).toMatchObject({ role: "viewer", auditor: false });
    await expect(query(urls.web, "update invite set used_at = null, used_by = null where id = $1", [invite.invite])).rejects.toThrow(
      "stays so",
    );
  });
});
