import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { createIdTokenVerifier } from "@/server/runner/sign-in/id-token";
import { signInWithIdentity } from "@/server/runner/sign-in/identity";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { answeringPlane } from "@/server/testing/answering";
import { recordRows } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { guardOidc, resolveLandingUrl } from "./oidc";
import { startProvider } from "./testing/provider";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);

const provider = await startProvider();
const ISSUER = provider.issuer;

type Invite = { readonly email?: string; readonly role?: string; readonly expiresIn?: string; readonly revoked?: boolean };

const invited = async ({ role = "reviewer", expiresIn = "1 hour", revoked = false, ...rest }: Invite = {}) => {
  const workspace = await testWorkspace(urls.admin);
  const email = rest.email ?? `${randomUUID()}@example.com`;
  await asAdmin(
    urls.admin,
    `insert into invite (id, workspace_id, hash, email, role, created_by, created_at, expires_at, revoked_at)
     values ($1, $2, $3, $4, $5, $6, now(), now() + $7::interval, case when $8 then now() end)`,
    [randomUUID(), workspace, randomUUID(), email, role, randomUUID(), expiresIn, revoked],
  );
  await recordRows(plane, workspace);

  return { workspace, claims: { iss: ISSUER, sub: randomUUID(), email, email_verified: true, name: "Ines Vale" } };
};

const usersWith = (email: string) =>
  queryOn<{ id: string; name: string }>(urls.admin, "select id, name from app_user where email = $1", [email]);
const rolesIn = (workspace: string) =>
  queryOn<{ role: string }>(urls.admin, "select role from membership where workspace_id = $1", [workspace]);
const HERE = { public_key: getPublicKey(generateSessionSeed()), address: "test", user_agent: "" };
const enter = async (claims: Readonly<Record<string, unknown>>, domains: readonly string[] = []) => {
  const verifyIdToken = createIdTokenVerifier(plane, provider.settings(domains));

  return signInWithIdentity({ ...plane, verifyIdToken }, { type: "identity", token: await provider.tokenOf(claims), ...HERE });
};

const userOf = async (claims: Readonly<Record<string, unknown>>): Promise<string> => {
  const outcome = await enter(claims);
  if (outcome.status !== "ok") throw new Error(`not let in: ${JSON.stringify(outcome)}`);

  return outcome.user;
};

const provedAt = (user: string) =>
  queryOn<{ at: Date | null }>(urls.admin, "select proved_at as at from session where user_id = $1", [user]);

test("lets an invitee with the verified address in with the invite's role, and uses up the invite", async () => {
  const { workspace, claims } = await invited();
  expect(await provedAt(await userOf({ ...claims, auth_time: 1_700_000_000 }))).toEqual([{ at: new Date(1_700_000_000_000) }]);
  expect(await rolesIn(workspace)).toEqual([{ role: "reviewer" }]);
  expect(await usersWith(claims.email)).toMatchObject([{ name: "Ines Vale" }]);
  expect(await enter({ ...claims, sub: "another subject with the same address" })).toEqual({ status: "refused", code: "unknown" });
});

test("identifies by subject afterwards: a new address changes nothing, and that address opens nothing", async () => {
  const { claims } = await invited();
  const { claims: other } = await invited();
  const id = await userOf(claims);
  expect(await userOf({ ...claims, email: other.email })).toBe(id);
  expect(await userOf({ ...claims, email_verified: false })).toBe(id);
  expect(await usersWith(other.email)).toEqual([]);
});

test("uses the address when the provider gives no name", async () => {
  const { claims } = await invited();
  const { name: _unsaid, ...nameless } = claims;
  await userOf(nameless);
  expect((await usersWith(claims.email))[0]?.name).toBe(claims.email.split("@")[0]);
});

test("records no proof time when the provider gives none", async () => {
  const { claims } = await invited();
  expect(await provedAt(await userOf(claims))).toEqual([{ at: null }]);
});

test.each([
  ["an unverified address", { email_verified: false }, "email_unverified"],
  ["a text that reads like yes", { email_verified: "true" }, "email_unverified"],
  ["no word about the address", { email_verified: undefined }, "email_unverified"],
  ["no address", { email: undefined }, "email_unverified"],
  ["a list of addresses", { email: ["a@example.com"] }, "email_unverified"],
  ["another issuer", { iss: "https://id.example.com.evil.net" }, "token_invalid"],
  ["the issuer with a slash", { iss: `${ISSUER}/` }, "token_invalid"],
  ["an empty subject", { sub: "" }, "token_invalid"],
  ["no subject", { sub: undefined }, "token_invalid"],
  ["an address that was not invited", { email: "stranger@example.com" }, "unknown"],
])("%s is rejected and leaves the invite unused", async (_name, change, code) => {
  const { workspace, claims } = await invited();
  expect(await enter({ ...claims, ...change })).toEqual({ status: "refused", code });
  expect([await usersWith(claims.email), await rolesIn(workspace)]).toEqual([[], []]);
  expect(await enter(claims)).toMatchObject({ status: "ok" });
});

test.each([{ expiresIn: "-1 second" }, { revoked: true }])("rejects an expired or revoked invite: %o", async (invite) => {
  const { claims } = await invited(invite);
  expect(await enter(claims)).toEqual({ status: "refused", code: "unknown" });
  expect(await usersWith(claims.email)).toEqual([]);
});

test("rejects a demo invite through the provider; another workspace's still works", async () => {
  const { workspace, claims } = await invited();
  const { workspace: demo } = await invited({ email: claims.email });
  await asAdmin(urls.admin, "update workspace set demo = true where id = $1", [demo]);
  expect(await enter(claims)).toMatchObject({ status: "ok" });
  expect([await rolesIn(workspace), await rolesIn(demo)]).toEqual([[{ role: "reviewer" }], []]);
});

const memberWithPassword = async ({ byInvite }: { readonly byInvite: boolean }) => {
  const { workspace, claims } = await invited();
  const user = randomUUID();
  const insert = "insert into app_user (id, name, email, password_hash) values ($1, 'Ines', $2, 'argon2id')";
  await asAdmin(urls.admin, insert, [user, claims.email]);
  if (byInvite) await asAdmin(urls.admin, "update invite set used_at = now(), used_by = $1 where email = $2", [user, claims.email]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [workspace, user]);

  return { user, claims };
};

const linksOf = (user: string) => queryOn(urls.admin, "select subject from identity where user_id = $1", [user]);

test.each([true, false])("an address does not prove ownership of its password account (came by an invite: %s)", async (byInvite) => {
  const { user, claims } = await memberWithPassword({ byInvite });
  expect(await enter(claims)).toEqual({ status: "refused", code: "email_known" });
  expect(await linksOf(user)).toEqual([]);
});

test("reveals whether an address has an account only to a provider that verified it", async () => {
  const { claims } = await memberWithPassword({ byInvite: true });
  expect(await enter({ ...claims, email_verified: false })).toEqual({ status: "refused", code: "email_unverified" });
});

test("rejects a disabled account whatever its provider says", async () => {
  const { workspace, claims } = await invited();
  const id = await userOf(claims);
  await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [id]);
  await recordRows(plane, workspace);
  expect(await enter(claims)).toEqual({ status: "refused", code: "disabled" });
});

test("gives the account to one of two concurrent sign-ins with the same invite", async () => {
  const { workspace, claims } = await invited();
  const outcomes = await Promise.all([enter(claims), enter({ ...claims, sub: randomUUID() })]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["ok", "refused"]);
  expect(await rolesIn(workspace)).toHaveLength(1);
});

test.each(["else.org", "example.com.evil.net", "evilexample.com", "sub.example.com"])(
  "with allowed domains, rejects an address in %s at first and later",
  async (domain) => {
    const { claims } = await invited({ email: `${randomUUID()}@${domain}` });
    const rules = ["example.com"];
    expect(await enter(claims, rules)).toEqual({ status: "refused", code: "email_domain" });
    await userOf(claims);
    expect(await enter(claims, rules)).toEqual({ status: "refused", code: "email_domain" });
    expect(await enter({ ...claims, email: "moved@example.com" }, rules)).toMatchObject({ status: "ok" });
  },
);

test("keeps an external name to one bounded line, or uses the address", async () => {
  const { claims } = await invited();
  const { claims: nameless } = await invited();
  await userOf({ ...claims, name: `  Ines\u0000\n\u202eVale ${"x".repeat(200)}` });
  await userOf({ ...nameless, name: { first: "Ines" } });
  expect((await usersWith(claims.email))[0]?.name).toMatch(/^Ines Vale x{90}$/);
  expect((await usersWith(nameless.email))[0]?.name).toBe(nameless.email.split("@")[0]);
});

test("the web process can create a link only for an account fresh from an invite, and change none", async () => {
  const { claims } = await invited();
  const id = await userOf(claims);
  const withPassword = await memberWithPassword({ byInvite: true });
  const [stranger] = [randomUUID()];
  await asAdmin(urls.admin, "insert into app_user (id, name, email) values ($1, 'Stranger', $2)", [stranger, `${stranger}@example.com`]);
  const attempts = [
    ["update identity set user_id = $1", [stranger]],
    ["delete from identity where user_id = $1", [id]],
    ["insert into identity (issuer, subject, user_id) values ('i', 's', $1)", [stranger]],
    ["insert into identity (issuer, subject, user_id) values ('i', 's', $1)", [id]],
    ["insert into identity (issuer, subject, user_id) values ('i', 's', $1)", [withPassword.user]],
  ] as const;
  for (const [sql, values] of attempts)
    await expect(queryOn(urls.web, sql, [...values])).rejects.toThrow(/permission denied|without a record|duplicate key/);
});

test("rate-limits an address before asking the provider, and leaves other sign-ins open", () => {
  const address = randomUUID();
  for (let attempt = 0; attempt < 200; attempt += 1) guardOidc(["signin", "oidc"], address);
  for (const action of ["signin", "callback"]) expect(() => guardOidc([action, "oidc"], address)).toThrow("Too many attempts");
  for (const path of [["callback", "password"], ["session"]]) expect(() => guardOidc(path, address)).not.toThrow();
  expect(() => guardOidc(["signin", "oidc"], randomUUID())).not.toThrow();
});

test.each([
  ["/runs", "/runs"],
  ["https://us.example.com/runs", "/runs"],
  ["https://evil.example/runs", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["https://us.example.com@evil.example/", "/"],
])("after sign-in, %s redirects to our own %s", (wanted, path) => {
  expect(new URL(resolveLandingUrl(wanted, "https://us.example.com"))).toMatchObject({ origin: "https://us.example.com", pathname: path });
});
