import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import type { PeopleCommand } from "@/lib/people/command";
import type { Role } from "@/lib/roles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { addMember, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const newMember = (role: Role): Promise<string> => addMember(desk, role);
const ask = (userId: string, body: PeopleCommand) => sendOwn(desk, body, userId);

const recordAt = async (seq: number) => {
  const [stored] = await query<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 and seq = $3",
    [desk.workspace, getWorkspaceLedgerId(desk.workspace), seq],
  );

  return stored ? (await verifyRecord(stored, await listPublicKeys()))?.record : null;
};

const identityFor = (subject: string) => ({ issuer: "https://id.example.com", subject });
const linkOf = async (user: string) => {
  const sql = "select subject, record_seq as seq from identity where user_id = $1";

  return (await query<{ subject: string; seq: number | null }>(urls.admin, sql, [user]))[0];
};

it("an identity is linked on record, once, without affecting other accounts", async () => {
  const [admin, one, other] = [await newMember("admin"), await newMember("viewer"), await newMember("viewer")];
  const identity = identityFor(one);
  const link = (user: string) => ({ kind: "people_link_identity", user, identity }) as const;
  expect((await ask(admin, link(one))).refusal?.code).toBe("principal_not_allowed");
  const { seq, refusal } = await ask(one, link(one));
  expect(refusal).toBeNull();
  expect(await linkOf(one)).toEqual({ subject: one, seq });
  expect(await recordAt(seq)).toMatchObject({
    principal: { type: "user", id: one },
    control: [
      {
        type: "admin_changed",
        area: "identities",
        subject: one,
        step: "identity_linked",
        before: null,
        after: digestOf("settings", identity),
      },
    ],
  });
  expect((await ask(other, link(other))).refusal?.code).toBe("identity_known");
  expect(await linkOf(other)).toBeUndefined();
});

it("an identity is unlinked on record, ending all sessions but the asking one; an admin does it for others and ends them all", async () => {
  const [admin, one] = [await newMember("admin"), await newMember("viewer")];
  const visit = { address: "test", userAgent: "" };
  const [{ sessionId: kept }, { sessionId: other }] = [await beginTestSession(one, visit, null), await beginTestSession(one, visit, null)];
  const open = async () => {
    const rows = await query<{ id: string }>(urls.admin, "select id from session where user_id = $1 and revoked_at is null", [one]);

    return rows.map(({ id }) => id).toSorted();
  };
  const identity = identityFor(one);
  const link = { kind: "people_link_identity", user: one, identity } as const;
  const unlink = (keep: string | null) => ({ kind: "people_unlink_identity", user: one, identity, keep }) as const;
  await ask(one, link);
  expect((await ask(one, unlink(kept))).refusal?.code).toBe("identity_last");
  await asAdmin(urls.admin, "update app_user set password_hash = 'argon2id' where id = $1", [one]);
  expect(await open()).toEqual(expect.arrayContaining([kept, other]));
  const { seq } = await ask(one, unlink(kept));
  const control = (await recordAt(seq))?.control ?? [];
  expect(control[0]).toMatchObject({ step: "identity_unlinked", after: null });
  expect(control).toContainEqual(expect.objectContaining({ area: "sessions", step: "ended", subject: other }));
  expect(control).not.toContainEqual(expect.objectContaining({ subject: kept }));
  expect([await linkOf(one), await open()]).toEqual([undefined, [kept]]);
  await ask(one, link);
  expect((await ask(admin, unlink(null))).refusal).toBeNull();
  expect([await linkOf(one), await open()]).toEqual([undefined, []]);
});
