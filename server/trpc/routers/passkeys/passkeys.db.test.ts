import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passkeyCommandSchema } from "@/lib/engine/ledger/passkey-ledger";
import { AppError } from "@/lib/errors";
import { createAuthenticator, type Authenticator, type Said } from "@/lib/engine/testing/authenticator";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { asAdmin } from "@/server/mcp/testing/registered";
import { query } from "@/server/runner/testing/desk";
import { createVault } from "@/server/security/vault";
import { openEnvelope } from "@/server/store/runs/command-envelope";
import { verifyRegistration } from "@/server/web/passkeys";
import { testDatabase } from "@/server/testing/database";
import { callerAs, staleSession } from "@/server/testing/caller";
import { homeWithVault } from "@/server/testing/home";

const urls = await testDatabase("web");
const vault = createVault(await homeWithVault());
const workspace = randomUUID();
const person = randomUUID();
const ORIGIN = "http://localhost";

beforeAll(async () => {
  await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Passkeys')", [workspace]);
  await useDatabase(urls.web);
});
afterAll(() => closeRunBus());

const caller = (id = person) => callerAs(workspace, "reviewer", { id });
const me = { workspaceId: workspace, user: { id: person, name: "reviewer", email: "reviewer@test.invalid" } };

const answerOf = async (authenticator: Authenticator, challenge: string, said: Said = {}) => {
  const { client_data_json, attestation_object } = await authenticator.attest(challenge, said);
  const { credential_id: id } = authenticator.passkey;

  return {
    id,
    rawId: id,
    type: "public-key" as const,
    response: { clientDataJSON: client_data_json, attestationObject: attestation_object },
  };
};

const messageOf = async (asked: Promise<unknown>): Promise<string> => {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;

  return cause instanceof AppError ? cause.message : "nothing was refused";
};

describe("what a browser is asked", () => {
  test("asks for a verified user's passkey of a supported kind for the page's host", async () => {
    const options = await caller().passkeys.begin({ origin: ORIGIN });
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      attestation: "none",
      authenticatorSelection: { userVerification: "required" },
      excludeCredentials: [],
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8]);
  });

  test("rejects other hosts, IP addresses and pages without https", async () => {
    const whyNot = (origin: string) => messageOf(caller().passkeys.begin({ origin }));
    expect(await whyNot("https://evil.example")).toMatch(/doesn't belong to this server/);
    expect(await whyNot("http://127.0.0.1:3000")).toMatch(/Open this page at localhost:3000/);
    expect(await whyNot("http://localhost.evil.example")).toMatch(/need https/);
  });
});

describe.each(["es256", "eddsa"] as const)("the answer of an authenticator with %s", (algorithm) => {
  test("is accepted once as a command with exactly that key and person", async () => {
    const authenticator = await createAuthenticator(algorithm, "localhost", ORIGIN);
    const { challenge } = await caller().passkeys.begin({ origin: ORIGIN });
    const answer = await answerOf(authenticator, challenge);
    const asked = caller().passkeys.register({ label: " Laptop ", answer });
    const pending = () =>
      query<{ id: string; user_id: string; body: Buffer }>(urls.admin, "select id, user_id, body from command where status = 'pending'");
    await expect.poll(async () => (await pending()).length, { timeout: 10_000 }).toBe(1);
    const [command] = await pending();
    expect(command?.user_id).toBe(person);
    const sealed = { workspaceId: workspace, place: command?.id ?? "", sealed: command?.body ?? Buffer.alloc(0) };
    const envelope = openEnvelope(vault, sealed);
    if (typeof envelope === "string") throw new Error(`the command is ${envelope}`);
    expect(envelope.author).toMatchObject({ type: "user", id: person });
    expect(passkeyCommandSchema.parse(envelope.body)).toEqual({
      kind: "passkey_register",
      passkey: authenticator.passkey,
      label: "Laptop",
    });
    await asAdmin(urls.admin, "update command set status = 'accepted', outcome = $2 where id = $1", [
      command?.id,
      JSON.stringify({ seq: 3, refusal: null }),
    ]);
    expect(await asked).toEqual({ record: 3, credentialId: authenticator.passkey.credential_id });
    expect(await messageOf(caller().passkeys.register({ label: "Again", answer }))).toMatch(/answered already/);
  });

  test("is rejected for another challenge, person, page or domain, or without user verification", async () => {
    const authenticator = await createAuthenticator(algorithm, "localhost", ORIGIN);
    const refusedWith = async (said: Said) => {
      const { challenge } = await caller().passkeys.begin({ origin: ORIGIN });

      return messageOf(verifyRegistration(me, await answerOf(authenticator, challenge, said)));
    };
    const others: Said[] = [
      { challenge: Buffer.alloc(32).toString("base64url") },
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { flags: 0x41 },
      { flags: 0x44 },
      { type: "webauthn.get" },
    ];
    for (const said of others) expect([said, await refusedWith(said)]).toEqual([said, expect.stringMatching(/doesn't match the request/)]);
    const { challenge } = await caller().passkeys.begin({ origin: ORIGIN });
    const answer = await answerOf(authenticator, challenge);
    expect(await messageOf(caller(randomUUID()).passkeys.register({ label: "Theirs", answer }))).toMatch(/answered already/);
    expect(await verifyRegistration(me, answer)).toEqual(authenticator.passkey);
  });

  test("expires after five minutes", async () => {
    const authenticator = await createAuthenticator(algorithm, "localhost", ORIGIN);
    const { challenge } = await caller().passkeys.begin({ origin: ORIGIN });
    await asAdmin(urls.admin, "update passkey_challenge set expires_at = expires_at - interval '301 seconds' where user_id = $1", [person]);
    expect(await messageOf(verifyRegistration(me, await answerOf(authenticator, challenge)))).toMatch(/longer than five minutes/);
  });
});

test("registering and revoking need a proof at most five minutes old, renaming none", async () => {
  const stale = callerAs(workspace, "reviewer", { id: person, session: staleSession() });
  expect(await messageOf(stale.passkeys.revoke({ credentialId: "AAAA" }))).toBe(new AppError("step_up_required").message);
  expect(await messageOf(stale.passkeys.begin({ origin: ORIGIN }))).toBe(new AppError("step_up_required").message);
  expect(await messageOf(stale.passkeys.rename({ credentialId: "AAAA", label: "Mine" }))).toBe(new AppError("not_found").message);
});

test("people neither list nor rename others' passkeys", async () => {
  const id = "AAAA";
  await asAdmin(
    urls.admin,
    `insert into passkey (workspace_id, credential_id, user_id, public_key, rp_id, label, created_at, record_seq)
     values ($1, $2, $3, 'k', 'localhost', 'Mine', now(), 0)`,
    [workspace, id, person],
  );
  expect((await caller().passkeys.list()).passkeys).toMatchObject([{ credentialId: id, label: "Mine", revokedAt: null }]);
  expect((await caller(randomUUID()).passkeys.list()).passkeys).toEqual([]);
  expect(await messageOf(caller(randomUUID()).passkeys.rename({ credentialId: id, label: "Theirs" }))).toMatch(/Not found/);
  await caller().passkeys.rename({ credentialId: id, label: "Desk key" });
  expect((await caller().passkeys.list()).passkeys).toMatchObject([{ label: "Desk key" }]);
  expect((await caller().passkeys.begin({ origin: ORIGIN })).excludeCredentials).toMatchObject([{ id }]);
});
