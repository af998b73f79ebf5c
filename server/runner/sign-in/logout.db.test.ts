import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { SignInAnswer } from "@/lib/people/sign-in";
import { startProvider } from "@/server/auth/testing/provider";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { createIdTokenVerifier } from "@/server/runner/sign-in/id-token";
import { signInWithIdentity } from "@/server/runner/sign-in/identity";
import { signOutByProvider } from "@/server/runner/sign-in/logout";
import { createLogoutTokenVerifier } from "@/server/runner/sign-in/logout-token";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { openTestSession, recordRows, testControlPlane } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const plane = await testControlPlane();
const provider = await startProvider();
const deps = {
  ...plane,
  verifyIdToken: createIdTokenVerifier(plane, provider.settings()),
  verifyLogoutToken: createLogoutTokenVerifier(plane, provider.settings()),
};
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

type Person = { readonly user: string; readonly sub: string; readonly own: string };
let workspace: string;

const newPerson = async (): Promise<Person> => {
  const [user, sub] = [randomUUID(), randomUUID()];
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Sample user')", [user, `${user}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')", [workspace, user]);
  await asAdmin(urls.admin, "insert into identity (issuer, subject, user_id) values ($1, $2, $3)", [provider.issuer, sub, user]);
  await recordRows(plane, workspace);

  return { user, sub, own: (await openTestSession(urls.admin, user)).id };
};

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
});

const enter = async ({ sub }: Person, sid: string | undefined): Promise<string> => {
  const token = await provider.tokenOf({ sub, sid });
  const session = { public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" };
  const answer = await signInWithIdentity(deps, { type: "identity", token, ...session });
  if (answer.status !== "ok") throw new Error(JSON.stringify(answer));

  return answer.session;
};
const logout = async (claims: object, change: Parameters<typeof provider.tokenOf>[1] = {}): Promise<SignInAnswer> => {
  const token = await provider.tokenOf({ nonce: undefined, jti: randomUUID(), events: EVENTS, ...claims }, change);

  return signOutByProvider(deps, randomUUID(), { type: "logout", token });
};
const openOf = async ({ user }: Person) => {
  const rows = await queryOn<{ id: string }>(urls.admin, "select id from session where user_id = $1 and revoked_at is null", [user]);

  return rows.map(({ id }) => id).toSorted();
};
const lastControl = async () => {
  const sql = "select body from ledger_record where workspace_id = $1 and run_id = $2 order by seq desc limit 1";
  const [row] = await queryOn<{ body: string }>(urls.admin, sql, [workspace, getWorkspaceLedgerId(workspace)]);

  return JSON.parse(row?.body ?? "null") as { principal: { type: string }; control: object[] };
};
const done = { status: "signed_out" };
const refused = { status: "refused", code: "token_invalid" };

test("a session id ends that session alone, on record", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const [first, second, foreign] = [await enter(person, "one"), await enter(person, "two"), await enter(other, "three")];
  expect(await logout({ sid: "one" })).toEqual(done);
  expect(await openOf(person)).toEqual([second, person.own].toSorted());
  expect(await lastControl()).toMatchObject({
    principal: { type: "engine" },
    control: [
      { step: "signed_out_by_provider", subject: person.user },
      { area: "sessions", step: "ended", subject: first },
    ],
  });
  expect(await logout({ sub: other.sub, sid: "two" })).toEqual(done);
  // Could be the one.
  await enter(other, undefined);
  expect(await logout({ sub: other.sub, sid: "two" })).toEqual(done);
  expect([await openOf(person), await openOf(other)]).toEqual([[second, person.own].toSorted(), [foreign, other.own].toSorted()]);
});

test("a subject ends all sessions that the provider began, and no other", async () => {
  const person = await newPerson();
  await enter(person, "four");
  await enter(person, undefined);
  expect(await logout({ sub: person.sub })).toEqual(done);
  expect(await openOf(person)).toEqual([person.own]);
  expect(await logout({ sub: randomUUID() })).toEqual(done);
});

test("a token counts once", async () => {
  const person = await newPerson();
  const token = await provider.tokenOf({ nonce: undefined, jti: "once", events: EVENTS, sub: person.sub });
  const [request, session] = [randomUUID(), await enter(person, "five")];
  expect(await signOutByProvider(deps, request, { type: "logout", token })).toEqual(done);
  expect(await openOf(person)).not.toContain(session);
  const again = await enter(person, "six");
  expect(await signOutByProvider(deps, randomUUID(), { type: "logout", token })).toEqual(refused);
  expect(await logout({ sub: person.sub, jti: "once" })).toEqual(refused);
  expect(await openOf(person)).toContain(again);
});

test.each<[string, object, Parameters<typeof provider.tokenOf>[1]]>([
  ["for another client", {}, { audience: "another" }],
  ["of another issuer", { iss: "https://id.example.com" }, {}],
  ["that is eleven minutes old", {}, { issuedAtMs: Date.now() - 11 * 60_000 }],
  ["with a nonce", { nonce: "n" }, {}],
  ["without an id", { jti: undefined }, {}],
  ["without the event", { events: {} }, {}],
  ["with events as a list", { events: ["http://schemas.openid.net/event/backchannel-logout"] }, {}],
  ["without subject and session", { sub: undefined }, {}],
])("rejects a token %s", async (_what, claims, change) => {
  const person = await newPerson();
  const session = await enter(person, randomUUID());
  expect(await logout({ sub: person.sub, ...claims }, change)).toEqual(refused);
  expect(await openOf(person)).toContain(session);
});

test("rejects an ID token, and a link that the records do not know ends nothing", async () => {
  const person = await newPerson();
  const session = await enter(person, "seven");
  const token = await provider.tokenOf({ sub: person.sub, jti: randomUUID(), events: EVENTS });
  expect(await signOutByProvider(deps, randomUUID(), { type: "logout", token })).toEqual(refused);
  const stranger = randomUUID();
  await asAdmin(urls.admin, "alter table identity disable trigger all");
  await asAdmin(urls.admin, "update identity set subject = $2 where user_id = $1", [person.user, stranger]);
  await asAdmin(urls.admin, "alter table identity enable trigger all");
  expect(await logout({ sub: stranger })).toEqual(done);
  expect(await openOf(person)).toContain(session);
});
