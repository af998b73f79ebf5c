import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { peopleCommandSchema } from "@/lib/people/command";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { createVault } from "@/server/security/vault";
import { openEnvelope } from "@/server/store/runs/command-envelope";
import { recordRows, testControlPlane } from "@/server/testing/authority";
import { callerAs, staleSession } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { linkOidc } from "./oidc-link";
import { findSignedIn } from "./session";
import type { SignedIn } from "./signed-in";

const urls = await testDatabase("admin");
const installation = await testInstallation();
const ISSUER = "https://id.example.com";
const RULES = { issuer: ISSUER, allowedDomains: [] };
const VAULT = "ab".repeat(32);
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
vi.stubEnv("OIDC_ISSUER", ISSUER);
vi.stubEnv("OIDC_CLIENT_ID", "countersign");
vi.stubEnv("OIDC_CLIENT_SECRET", "a secret that both sides know");

const plane = await testControlPlane(VAULT);

beforeAll(async () => {
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), VAULT, { mode: 0o600 });
});
beforeEach(() => asAdmin(urls.admin, "delete from command", []));
afterAll(() => closeRunBus());

const member = async (): Promise<SignedIn> => {
  const [workspace, user] = [await testWorkspace(urls.admin), randomUUID()];
  const insert = "insert into app_user (id, name, email, password_hash) values ($1, 'Ines', $2, 'argon2id')";
  await asAdmin(urls.admin, insert, [user, `${user}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')", [workspace, user]);
  await recordRows(plane, workspace);
  const signedIn = await findSignedIn(await beginTestSession(user, { address: "test", userAgent: "" }, Date.now()));
  if (!signedIn) throw new Error("no user is signed in");

  return signedIn;
};

const asked = ({ user, workspace, session }: SignedIn) => callerAs(workspace.id, "viewer", { id: user.id, session }).session.linkIdentity();
const claims = () => ({ iss: ISSUER, sub: randomUUID(), email: "user@else.example", email_verified: false });

type Row = { id: string; user_id: string; body: Buffer };
const commands = () => queryOn<Row>(urls.admin, "select id, user_id, body from command where status = 'pending'", []);

const carriedOut = async ({ workspace }: SignedIn) => {
  await expect.poll(async () => (await commands()).length, { timeout: 10_000 }).toBe(1);
  const [command] = await commands();
  await asAdmin(urls.admin, `update command set status = 'accepted', outcome = '{"seq":3,"refusal":null}' where id = $1`, [command?.id]);

  const sealed = { workspaceId: workspace.id, place: command?.id ?? "", sealed: command?.body ?? Buffer.alloc(0) };
  const envelope = openEnvelope(createVault(VAULT), sealed);
  if (typeof envelope === "string") throw new Error(`the command is ${envelope}`);

  return { by: command?.user_id, body: peopleCommandSchema.parse(envelope.body) };
};

test("links the asker to the identity named next, whatever its address, once", async () => {
  const me = await member();
  await asked(me);
  const named = claims();
  const linking = linkOidc(named, RULES, me);
  expect(await carriedOut(me)).toEqual({
    by: me.user.id,
    body: { kind: "people_link_identity", user: me.user.id, identity: { issuer: ISSUER, subject: named.sub } },
  });
  expect(await linking).toEqual({ status: "linked" });
  expect(await linkOidc(claims(), RULES, me)).toBeNull();
  expect(await commands()).toEqual([]);
});

test("links nothing without a request, from another session, after too long, or signed out", async () => {
  const [me, other] = [await member(), await member()];
  expect(await linkOidc(claims(), RULES, null)).toBeNull();
  expect(await linkOidc(claims(), RULES, me)).toBeNull();
  await asked(other);
  expect(await linkOidc(claims(), RULES, me)).toBeNull();
  await asked(me);
  await asAdmin(urls.admin, "update session set link_until = now() - interval '1 second' where id = $1", [me.session.id]);
  expect(await linkOidc(claims(), RULES, me)).toBeNull();
  expect(await commands()).toEqual([]);
});

test("a wrong provider or domain links nothing and uses up the request", async () => {
  const me = await member();
  await asked(me);
  expect(await linkOidc({ ...claims(), iss: "https://evil.example" }, RULES, me)).toEqual({ status: "refused", code: "issuer" });
  expect(await linkOidc(claims(), RULES, me)).toBeNull();
  await asked(me);
  const verified = { ...claims(), email_verified: true };
  const rules = { ...RULES, allowedDomains: ["example.com"] };
  expect(await linkOidc(verified, rules, me)).toEqual({ status: "refused", code: "email_domain" });
  expect(await commands()).toEqual([]);
});

test("requesting a link needs a proof of identity at most five minutes old", async () => {
  const me = await member();
  const error: unknown = await asked({ ...me, session: { ...staleSession(), id: me.session.id } }).catch((reason: unknown) => reason);
  expect(error instanceof Error && error.cause instanceof AppError ? error.cause.code : null).toBe("step_up_required");
  expect(await linkOidc(claims(), RULES, me)).toBeNull();
});
