import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { computeProofDigest, SIGN_IN_WORKSPACE, signInPlace } from "@/lib/people/sign-in";
import { hashPassword } from "@/server/auth/password";
import { startProvider } from "@/server/auth/testing/provider";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { createIdTokenVerifier } from "@/server/runner/sign-in/id-token";
import { workSignIns } from "@/server/runner/sign-in/worker";
import { generateSessionSeed, getPublicKey, signWithSeed, type SessionKey } from "@/server/security/session-key";
import { createVault } from "@/server/security/vault";
import { openTestSession, recordRows, testControlPlane } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { sendSignIns } from "@/server/testing/sign-ins";

const urls = await testDatabase("runner");
const plane = await testControlPlane();
const stop = new AbortController();
const provider = await startProvider();
const working = workSignIns({ ...plane, verifyIdToken: createIdTokenVerifier(plane, provider.settings()) }, stop.signal);
afterAll(async () => {
  stop.abort();
  await working;
});

const PASSWORD = "a long enough password";
const hash = await hashPassword(PASSWORD);

const newMember = async (passwordHash: string | null = hash) => {
  const [workspace, id] = [await testWorkspace(urls.admin), randomUUID()];
  const email = `${id}@example.com`;
  await asAdmin(urls.admin, "insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', $3)", [
    id,
    email,
    passwordHash,
  ]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [workspace, id]);
  await recordRows(plane, workspace);

  return { workspace, id, email };
};

const send = sendSignIns(urls.web, plane.vault);

const visit = () => ({ public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" });
const sessionsOf = (user: string) =>
  queryOn<{ id: string; proved: boolean }>(urls.admin, "select id, proved_at is not null as proved from session where user_id = $1", [
    user,
  ]);
const refused = (code: string) => ({ status: "refused", code });

test("a password opens a session under the sent key, and nothing of the request remains", async () => {
  const { id, email } = await newMember();
  const [request, session] = [randomUUID(), visit()];
  const answer = await send({ type: "password", email, password: PASSWORD, ...session }, request);
  expect(answer).toMatchObject({ status: "ok", user: id, session_version: 1 });
  const [row] = await queryOn(urls.admin, "select user_id, public_key, address from session where user_id = $1", [id]);
  expect(row).toEqual({ user_id: id, public_key: session.public_key, address: "203.0.113.x" });
  expect(await queryOn(urls.admin, "select octet_length(body) as bytes from sign_in_request where id = $1", [request])).toEqual([
    { bytes: 0 },
  ]);
});

test("a wrong password, a missing one, and a claimed demo account open nothing", async () => {
  const [known, without] = [await newMember(), await newMember(null)];
  await asAdmin(urls.admin, "update app_user set demo = true where id = $1", [without.id]);
  expect(await send({ type: "password", email: known.email, password: "a guess", ...visit() })).toEqual(refused("denied"));
  expect(await send({ type: "password", email: without.email, password: "a guess", ...visit() })).toEqual(refused("denied"));
  for (const { id } of [known, without]) expect(await send({ type: "demo", user: id, ...visit() })).toEqual(refused("denied"));
  expect(await send({ type: "identity", token: "made.up.token", ...visit() })).toEqual(refused("token_invalid"));
  for (const { id } of [known, without]) expect(await sessionsOf(id)).toEqual([]);
});

test("the provider's token admits an invitee once", async () => {
  const [workspace, email] = [await testWorkspace(urls.admin), `${randomUUID()}@example.com`];
  await asAdmin(
    urls.admin,
    `insert into invite (id, workspace_id, hash, email, role, created_by, created_at, expires_at)
     values ($1, $2, $3, $4, 'reviewer', $1, now(), now() + interval '1 hour')`,
    [randomUUID(), workspace, randomUUID(), email],
  );
  await recordRows(plane, workspace);
  const token = await provider.tokenOf({ sub: randomUUID(), email, email_verified: true });
  const answer = await send({ type: "identity", token, ...visit() });
  expect(answer).toMatchObject({ status: "ok" });
  expect(await queryOn(urls.admin, "select role from membership where workspace_id = $1", [workspace])).toEqual([{ role: "reviewer" }]);
  expect(await send({ type: "identity", token, ...visit() })).toEqual(refused("token_invalid"));
});

test("rejects a request sealed with another key or for another request", async () => {
  const { id, email } = await newMember();
  const request = { type: "password", email, password: PASSWORD, ...visit() } as const;
  expect(await send(request, randomUUID(), createVault("ee".repeat(32)))).toEqual(refused("malformed"));
  const [first, second] = [randomUUID(), randomUUID()];
  const body = Buffer.from(plane.vault.sealCommand(SIGN_IN_WORKSPACE, signInPlace(first), request));
  await queryOn(urls.web, "insert into sign_in_request (id, body) values ($1, $2)", [second, body]);
  await expect
    .poll(async () => (await queryOn(urls.web, "select answer from sign_in_request where id = $1", [second]))[0], { timeout: 10_000 })
    .toEqual({ answer: refused("malformed") });
  expect(await sessionsOf(id)).toEqual([]);
});

test("limits guesses per account, whatever origin the web process claims", { timeout: 120_000 }, async () => {
  const { email } = await newMember(null);
  const ids = Array.from({ length: 201 }, () => randomUUID());
  for (const id of ids) {
    const body = plane.vault.sealCommand(SIGN_IN_WORKSPACE, signInPlace(id), { type: "password", email, password: "a guess", ...visit() });
    await queryOn(urls.web, "insert into sign_in_request (id, body) values ($1, $2)", [id, Buffer.from(body)]);
  }
  await queryOn(urls.web, "select pg_notify('countersign_sign_in', '')");
  const limited = "select 1 from sign_in_request where id = any ($1) and answer ->> 'code' = 'rate_limited'";
  await expect.poll(async () => (await queryOn(urls.admin, limited, [ids])).length, { timeout: 110_000 }).toBe(1);
});

const proofOf = (request: string, user: string, { id: session, key }: SessionKey, change: object = {}) => {
  const proof = { type: "proof", user, session, password: PASSWORD, sent_at: Date.now(), ...change } as const;

  return { ...proof, signature: signWithSeed(key, computeProofDigest(request, proof)) };
};

const staleSession = async (user: string): Promise<SessionKey> => {
  const session = await openTestSession(urls.admin, user);
  await asAdmin(urls.admin, "update session set proved_at = null where id = $1", [session.id]);

  return session;
};

test("a session steps up with its key and password together, in time, for one request", async () => {
  const { id } = await newMember();
  const session = await staleSession(id);
  const [one, other] = [randomUUID(), randomUUID()];
  expect(await send(proofOf(one, id, { ...session, key: generateSessionSeed() }), one)).toEqual(refused("denied"));
  expect(await send(proofOf(one, id, session), other)).toEqual(refused("denied"));
  for (const change of [{ sent_at: Date.now() - 61_000 }, { password: "a guess" }, { password: null }]) {
    const request = randomUUID();
    expect(await send(proofOf(request, id, session, change), request)).toEqual(refused("denied"));
  }
  expect((await sessionsOf(id)).filter(({ proved }) => proved)).toEqual([]);
  const request = randomUUID();
  expect(await send(proofOf(request, id, session), request)).toMatchObject({ status: "proved" });
  expect(await sessionsOf(id)).toEqual([{ id: session.id, proved: true }]);
});

test("a proof under a foreign key raises an alarm, and an ended session proves nothing", async () => {
  const { id, workspace } = await newMember();
  const session = await staleSession(id);
  const request = randomUUID();
  await send(proofOf(request, id, { ...session, key: generateSessionSeed() }), request);
  const alarms = await queryOn(urls.admin, "select kind, detail from trust_alarm where workspace_id = $1", [workspace]);
  expect(alarms).toEqual([{ kind: "forged_command", detail: `proof for session ${session.id}` }]);
  await asAdmin(urls.admin, "update session set revoked_at = now() where id = $1", [session.id]);
  const late = randomUUID();
  expect(await send(proofOf(late, id, session), late)).toEqual(refused("denied"));
});

test("an unanswered request is deleted after a minute", async () => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into sign_in_request (id, body, created_at) values ($1, '', now() - interval '61 seconds')", [id]);
  await queryOn(urls.web, "select pg_notify('countersign_sign_in', '')");
  await expect.poll(async () => (await queryOn(urls.admin, "select 1 from sign_in_request where id = $1", [id])).length).toBe(0);
});
