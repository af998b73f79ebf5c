import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { PeopleCommand } from "@/lib/people/command";
import type { PasswordCommand } from "@/lib/people/membership";
import { computeEntryDigest, type Entry, type EntryRequest, type SignInAnswer } from "@/lib/people/sign-in";
import type { Role } from "@/lib/roles";
import { hashPassword } from "@/server/auth/password";
import { generateSetupToken, hashSetupToken } from "@/server/auth/setup-token";
import { closeRunBus } from "@/server/live/run-bus";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { foundByAccount } from "@/server/runner/account-join";
import { enterWorkspace } from "@/server/runner/sign-in/enter";
import { listDifferingRows } from "@/server/runner/adopt";
import { generateSessionSeed, getPublicKey, signWithSeed, type SessionKey } from "@/server/security/session-key";
import { listCurrentProjections } from "@/server/store/ledger/projections";
import { answerCommands, recordRows, testControlPlane, writeCommand } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { sendSignIns } from "@/server/testing/sign-ins";

const urls = await testDatabase("runner");
const plane = { ...(await testControlPlane()), newWorkspaces: "admins" as const };
const stopAnswering = answerCommands(urls.admin, plane);
const send = sendSignIns(urls.web, plane.vault);
afterAll(async () => {
  await stopAnswering();
  closeRunBus();
});

const write = (sql: string, values: readonly unknown[]) => asAdmin(urls.admin, sql, [...values]);
const PASSWORD = "a long enough password";
const hash = await hashPassword(PASSWORD);

type Person = { readonly id: string; readonly email: string };

const newAccount = async (): Promise<Person> => {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await write("insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', $3)", [id, email, hash]);

  return { id, email };
};
const addTo = async (workspace: string, { id }: Person, role: Role = "admin"): Promise<void> => {
  await write("insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  await recordRows(plane, workspace);
};
const newMember = async (role: Role = "admin") => {
  const [workspace, person] = [await testWorkspace(urls.admin), await newAccount()];
  await addTo(workspace, person, role);

  return { ...person, workspace };
};
type Member = Awaited<ReturnType<typeof newMember>>;

const openIn = async (workspace: string, { id: user }: Person, provedAt: "now()" | "null" = "now()"): Promise<SessionKey> => {
  const session = { id: randomUUID(), key: generateSessionSeed() };
  await write(
    `insert into session (id, user_id, workspace_id, address, user_agent, public_key, proved_at) values ($1, $2, $3, 'test', 'test', $4, ${provedAt})`,
    [session.id, user, workspace, getPublicKey(session.key)],
  );

  return session;
};

type Ask = (request: EntryRequest, id: string) => Promise<SignInAnswer>;

const enter = (
  person: Person,
  { id: session, key }: SessionKey,
  into: Entry,
  asks: Ask = send,
  id: string = randomUUID(),
): Promise<SignInAnswer> => {
  const visit = { public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" };
  const asked = { user: person.id, session, into, sent_at: plane.clock.now(), ...visit };

  return asks({ type: "enter", ...asked, signature: signWithSeed(key, computeEntryDigest(id, asked)) }, id);
};
const intoWorkspace = (workspace: string): Entry => ({ by: "membership", workspace });
const refused = (code: string) => ({ status: "refused", code });

const ask = async (person: Person, workspace: string, session: SessionKey, body: PeopleCommand | PasswordCommand): Promise<string> => {
  const author = { type: "user", id: person.id, session } as const;
  const id = await writeCommand(urls.admin, plane, { workspace, runId: getWorkspaceLedgerId(workspace), author, body });
  const outcome = async () => {
    const sql = "select status, outcome -> 'refusal' ->> 'code' as code from command where id = $1 and status <> 'pending'";
    const [row] = await queryOn<{ status: string; code: string | null }>(urls.admin, sql, [id]);

    return row ? (row.code ?? row.status) : "pending";
  };
  await expect.poll(outcome, { timeout: 10_000 }).not.toBe("pending");

  return outcome();
};

const invite = async (admin: Member, email: string, role: Role = "reviewer"): Promise<string> => {
  const token = generateSetupToken();
  const body = {
    kind: "people_invite",
    invite: randomUUID(),
    hash: hashSetupToken(token),
    email,
    standing: { role, auditor: false },
  } as const;
  expect(await ask(admin, admin.workspace, await openIn(admin.workspace, admin), body)).toBe("accepted");

  return token;
};
const membersOf = async (workspace: string) => listMembersInForce(await plane.authority.read(workspace));
const differing = async (workspace: string) =>
  listDifferingRows(await plane.authority.read(workspace), await listCurrentProjections(workspace));
const workspaceOf = async (answer: SignInAnswer): Promise<unknown> => {
  if (answer.status !== "ok") return answer;
  const [row] = await queryOn(urls.admin, "select workspace_id, proved_at from session where id = $1", [answer.session]);

  return row;
};
const isOpen = async ({ id }: SessionKey) =>
  (await queryOn(urls.admin, "select 1 from session where id = $1 and revoked_at is null", [id])).length === 1;

test("an account with an invite joins with a session of its own, on record in the new workspace, which proves itself", async () => {
  const [home, host] = [await newMember("viewer"), await newMember()];
  const token = await invite(host, home.email);
  const answer = await enter(home, await openIn(home.workspace, home), { by: "invite", token });
  expect(await workspaceOf(answer)).toEqual({ workspace_id: host.workspace, proved_at: null });
  expect((await membersOf(host.workspace)).get(home.id)).toEqual({ role: "reviewer", auditor: false, disabled: false });
  expect((await membersOf(home.workspace)).get(home.id)).toEqual({ role: "viewer", auditor: false, disabled: false });
  expect(await Promise.all([differing(home.workspace), differing(host.workspace)])).toEqual([[], []]);
  const [used] = await queryOn<{ used: boolean }>(urls.admin, "select used_at is not null as used from invite where hash = $1", [
    hashSetupToken(token),
  ]);
  expect(used).toEqual({ used: true });
});

test("an invite joins no other address, no session without a fresh proof, and no account whose password row is not on record", async () => {
  const [home, host, stranger] = [await newMember(), await newMember(), await newMember()];
  const token = await invite(host, home.email);
  const entry = { by: "invite", token } as const;
  expect(await enter(stranger, await openIn(stranger.workspace, stranger), entry)).toEqual(refused("link_invalid"));
  expect(await enter(home, await openIn(home.workspace, home, "null"), entry)).toEqual(refused("step_up_required"));
  await write("update app_user set password_hash = $2 where id = $1", [home.id, await hashPassword("of the attacker's own")]);
  expect(await enter(home, await openIn(home.workspace, home), entry)).toEqual(refused("authority_mismatch"));
  await write("update app_user set password_hash = $2 where id = $1", [home.id, hash]);
  expect((await membersOf(host.workspace)).has(home.id)).toBe(false);
  expect(await enter(home, await openIn(home.workspace, home), entry)).toMatchObject({ status: "ok" });
});

test("a workspace is entered by its members only: not by others, the disabled, another's session or an ended one", async () => {
  const [person, other] = [await newMember(), await newMember()];
  const second = await newMember();
  await addTo(second.workspace, person, "builder");
  const session = await openIn(person.workspace, person);
  expect(await workspaceOf(await enter(person, session, intoWorkspace(second.workspace)))).toEqual({
    workspace_id: second.workspace,
    proved_at: null,
  });
  expect(await enter(person, session, intoWorkspace(other.workspace))).toEqual(refused("not_member"));
  expect(await enter(person, session, intoWorkspace(randomUUID()))).toEqual(refused("not_member"));
  expect(await enter(other, session, intoWorkspace(second.workspace))).toEqual(refused("denied"));
  const forged = { id: session.id, key: generateSessionSeed() };
  expect(await enter(person, forged, intoWorkspace(second.workspace))).toEqual(refused("denied"));
  // A row without a record grants nothing.
  await write("insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [other.workspace, person.id]);
  expect(await enter(person, session, intoWorkspace(other.workspace))).toEqual(refused("authority_mismatch"));
  const disable = { kind: "people_disable", user: person.id } as const;
  expect(await ask(second, second.workspace, await openIn(second.workspace, second), disable)).toBe("accepted");
  expect(await enter(person, session, intoWorkspace(second.workspace))).toEqual(refused("not_member"));
  const ending = { kind: "people_sign_out", user: person.id, session: session.id, keep: null } as const;
  expect(await ask(person, person.workspace, session, ending)).toBe("accepted");
  await write("alter table session disable trigger user", []);
  await write("update session set revoked_at = null where id = $1", [session.id]);
  await write("alter table session enable trigger user", []);
  expect(await enter(person, session, intoWorkspace(person.workspace))).toEqual(refused("authority_mismatch"));
});

test("disabling in one workspace ends its sessions alone, and a password then signs in to the other", async () => {
  const [person, host] = [await newMember("builder"), await newMember()];
  await addTo(host.workspace, person, "viewer");
  const [there, here] = [await openIn(host.workspace, person), await openIn(person.workspace, person)];
  const disable = { kind: "people_disable", user: person.id } as const;
  expect(await ask(host, host.workspace, await openIn(host.workspace, host), disable)).toBe("accepted");
  expect([await isOpen(there), await isOpen(here)]).toEqual([false, true]);
  const visit = { public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" };
  const answer = await send({ type: "password", email: person.email, password: PASSWORD, ...visit });
  expect(await workspaceOf(answer)).toMatchObject({ workspace_id: person.workspace });
  expect(await Promise.all([differing(person.workspace), differing(host.workspace)])).toEqual([[], []]);
});

test("a session of one workspace signs no command in another", async () => {
  const [person, host] = [await newMember(), await newMember()];
  await addTo(host.workspace, person);
  const session = await openIn(person.workspace, person);
  const disable = { kind: "people_disable", user: host.id } as const;
  expect(await ask(person, host.workspace, session, disable)).toBe("session_over");
  expect((await membersOf(host.workspace)).get(host.id)?.disabled).toBe(false);
});

test("a new password is on record in each workspace, and ends the sessions in all of them", async () => {
  const [person, host] = [await newMember(), await newMember()];
  await addTo(host.workspace, person, "viewer");
  const [here, other, there] = [
    await openIn(person.workspace, person),
    await openIn(person.workspace, person),
    await openIn(host.workspace, person),
  ];
  const body = { kind: "password_set", password_hash: await hashPassword("another long password") } as const;
  expect(await ask(person, person.workspace, here, body)).toBe("accepted");
  expect([await isOpen(here), await isOpen(other), await isOpen(there)]).toEqual([true, false, false]);
  expect(await Promise.all([differing(person.workspace), differing(host.workspace)])).toEqual([[], []]);
  const visit = { public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" };
  const signIn = (password: string) => send({ type: "password", email: person.email, password, ...visit });
  expect(await signIn(PASSWORD)).toEqual(refused("denied"));
  expect(await signIn("another long password")).toMatchObject({ status: "ok" });
});

test("workspaces founded while a password is set have the one that stands", async () => {
  const person = await newMember();
  const session = await openIn(person.workspace, person);
  const ids = Array.from({ length: 8 }, () => randomUUID());
  const account = { userId: person.id, from: person.workspace };
  const body = { kind: "password_set", password_hash: await hashPassword("another long password") } as const;
  await Promise.all([
    ask(person, person.workspace, session, body),
    ...ids.map((workspaceId) => foundByAccount(plane, { workspaceId, name: "At once", setup: null }, account)),
  ]);
  expect(await Promise.all([person.workspace, ...ids].map(differing))).toEqual([[], ...ids.map(() => [])]);
});

test("people leave a workspace, unless they are its only admin", async () => {
  const [person, host] = [await newMember(), await newMember()];
  await addTo(host.workspace, person, "admin");
  const leave = { kind: "people_leave", user: person.id } as const;
  expect(await ask(host, host.workspace, await openIn(host.workspace, host), leave)).toBe("principal_not_allowed");
  expect(await ask(person, host.workspace, await openIn(host.workspace, person, "null"), leave)).toBe("step_up_required");
  const session = await openIn(host.workspace, person);
  expect(await ask(person, host.workspace, session, leave)).toBe("accepted");
  expect(await isOpen(session)).toBe(false);
  expect((await membersOf(host.workspace)).get(person.id)?.disabled).toBe(true);
  expect(await ask(host, host.workspace, await openIn(host.workspace, host), { ...leave, user: host.id })).toBe("last_admin");
  expect(await ask(person, person.workspace, await openIn(person.workspace, person), leave)).toBe("last_admin");
});

test("an admin creates a workspace where the operator allows it, with a proof, and is its first admin", async () => {
  const [admin, builder] = [await newMember(), await newMember("builder")];
  const entry = { by: "creation", name: "Second" } as const;
  const atOperators: Ask = (request, id) => enterWorkspace({ ...plane, newWorkspaces: "operator", verifyIdToken: null }, id, request);
  expect(await enter(admin, await openIn(admin.workspace, admin), entry, atOperators)).toEqual(refused("denied"));
  expect(await enter(builder, await openIn(builder.workspace, builder), entry)).toEqual(refused("denied"));
  expect(await enter(admin, await openIn(admin.workspace, admin, "null"), entry)).toEqual(refused("step_up_required"));
  const answer = await enter(admin, await openIn(admin.workspace, admin), entry);
  if (answer.status !== "ok") throw new Error(JSON.stringify(answer));
  const [row] = await queryOn<{ id: string; name: string }>(
    urls.admin,
    "select w.id, w.name from workspace w join session s on s.workspace_id = w.id where s.id = $1",
    [answer.session],
  );
  expect(row?.name).toBe("Second");
  expect([...(await membersOf(row?.id ?? ""))]).toEqual([[admin.id, { role: "admin", auditor: false, disabled: false }]]);
  expect(await differing(row?.id ?? "")).toEqual([]);
  const sql = "select 1 from ledger_record where workspace_id = $1 and body like '%\"workspace_created\"%' and body like $2";
  expect(await queryOn(urls.admin, sql, [admin.workspace, `%${row?.id}%`])).toHaveLength(1);
});

test("a request that is answered again after a crash founds one workspace", async () => {
  const [admin, id] = [await newMember(), randomUUID()];
  const again: Ask = (request, request_id) => enterWorkspace({ ...plane, verifyIdToken: null }, request_id, request);
  const session = await openIn(admin.workspace, admin);
  const entry = { by: "creation", name: "Once" } as const;
  const places = [await enter(admin, session, entry, again, id), await enter(admin, session, entry, again, id)];
  const [first, second] = await Promise.all(places.map(workspaceOf));
  expect(second).toEqual(first);
  expect(await queryOn(urls.admin, "select 1 from membership where user_id = $1", [admin.id])).toHaveLength(2);
});

test("an account founds no more workspaces once it is in a hundred", async () => {
  const admin = await newMember();
  await write(
    `with made as (insert into workspace (id, name) select gen_random_uuid(), 'one of many' from generate_series(1, 99) returning id)
     insert into membership (workspace_id, user_id, role) select id, $1, 'viewer' from made`,
    [admin.id],
  );
  const entry = { by: "creation", name: "One too many" } as const;
  expect(await enter(admin, await openIn(admin.workspace, admin), entry)).toEqual(refused("denied"));
});

test("a set-up link founds a workspace for an account once", async () => {
  const person = await newMember("viewer");
  const token = generateSetupToken();
  await write("insert into setup_token (hash, expires_at) values ($1, now() + interval '1 hour')", [hashSetupToken(token)]);
  const entry = { by: "setup", token, name: "Third" } as const;
  const answers = await Promise.all([1, 2].map(async () => enter(person, await openIn(person.workspace, person), entry)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual(["ok", "refused"]);
  const names = await queryOn(
    urls.admin,
    "select w.name, m.role from workspace w join membership m on m.workspace_id = w.id where m.user_id = $1",
    [person.id],
  );
  expect(names).toContainEqual({ name: "Third", role: "admin" });
  expect(names).toHaveLength(2);
});
