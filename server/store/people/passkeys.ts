import { z } from "zod";
import type { Passkey } from "@/lib/engine/approvals/assertion";
import { PASSKEY_EVENTS } from "@/lib/engine/events/workspace";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { getDatabase, runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { msSchema } from "@/server/store/times";

/** Times: ms since 1970. */
const passkeyRow = z.object({
  credentialId: z.string(),
  rpId: z.string(),
  /** Null: not stored then. */
  origin: z.string().nullable(),
  label: z.string(),
  createdAt: msSchema,
  lastUsedAt: msSchema.nullable(),
  revokedAt: msSchema.nullable(),
});
export type ListedPasskey = z.infer<typeof passkeyRow>;

/** Newest first, including revoked ones. */
export const listPasskeys = async (workspaceId: string, userId: string): Promise<ListedPasskey[]> => {
  const rows = await scopeToWorkspace(workspaceId).passkey.findMany({
    where: { workspaceId, userId },
    orderBy: [{ createdAt: "desc" }, { credentialId: "asc" }],
    take: 200,
  });

  return z.array(passkeyRow).parse(rows);
};

/** @returns false when not this person's */
export const renamePasskey = async (workspaceId: string, userId: string, credentialId: string, label: string): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).passkey.updateMany({
    where: { workspaceId, userId, credentialId },
    data: { label },
  });

  return count > 0;
};

export type PasskeyChallenge = { readonly challenge: string; readonly rpId: string; readonly origin: string };

/** Replaces the registration challenge. @param expiresAt ms since 1970 */
export const keepChallenge = async (workspaceId: string, userId: string, kept: PasskeyChallenge, expiresAt: number): Promise<void> => {
  const row = { ...kept, expiresAt: new Date(expiresAt) };
  await scopeToWorkspace(workspaceId).passkeyChallenge.upsert({
    where: { workspaceId_userId: { workspaceId, userId } },
    create: { workspaceId, userId, ...row },
    update: row,
  });
};

/** Takes the challenge once, before it expires. */
export const takeChallenge = (workspaceId: string, userId: string, now: number): Promise<PasskeyChallenge | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const [row] = await tx.passkeyChallenge.findMany({ where: { workspaceId, userId } });
    const { count } = await tx.passkeyChallenge.deleteMany({ where: { workspaceId, userId, challenge: row?.challenge ?? "" } });

    // Of concurrent deletions, one succeeds.
    return row && count === 1 && row.expiresAt.getTime() >= now ? { challenge: row.challenge, rpId: row.rpId, origin: row.origin } : null;
  });

/** Canonical JSON has one spelling; these records hold no free text. */
const MARKS = Object.keys(PASSKEY_EVENTS).map((type) => `"type":"${type}"`);

/** As owners or as permitting admins. */
const recordsAbout = (workspaceId: string, people: readonly string[]): Promise<StoredRecord[]> =>
  scopeToWorkspace(workspaceId).ledgerRecord.findMany({
    where: {
      workspaceId,
      runId: getWorkspaceLedgerId(workspaceId),
      AND: [
        { OR: MARKS.map((mark) => ({ body: { contains: mark } })) },
        { OR: people.map((user) => ({ body: { contains: `"user":"${user}"` } })) },
      ],
    },
    orderBy: { seq: "asc" },
    select: { seq: true, body: true, digest: true, kid: true, signature: true },
  });

const peopleIn = (records: readonly StoredRecord[], pattern: RegExp): string[] =>
  records.flatMap(({ body }) => [...body.matchAll(pattern)].map(([, user]) => user ?? ""));

/** Records proving the passkeys of a ledger's decisions. */
export const listPasskeyRecords = async (workspaceId: string, records: readonly StoredRecord[]): Promise<StoredRecord[]> => {
  const signed = records.filter(({ body }) => body.includes('"passkey":{'));
  let people = new Set(peopleIn(signed, /"user":"([0-9a-f-]{36})"/g));
  for (let found: StoredRecord[] = []; people.size > 0;) {
    found = await recordsAbout(workspaceId, [...people]);
    // A permission rests on the admin's own passkeys.
    const more = new Set([...people, ...peopleIn(found, /"principal":\{[^}]*"id":"([0-9a-f-]{36})"/g)]);
    if (more.size === people.size) return found;
    people = more;
  }

  return [];
};

/** Projects a record's passkey. Runner's role only. */
export const projectPasskey = async (
  tx: LedgerTransaction,
  { workspace: workspaceId, seq, at, control }: LedgerRecord,
  label: string,
): Promise<void> => {
  for (const event of control) {
    if (event.type === "passkey_registered") {
      const { credential_id: credentialId, user: userId, public_key: publicKey, rp_id: rpId, origin = null } = event;
      const row = { workspaceId, credentialId, userId, publicKey, rpId, origin, label };
      await tx.passkey.createMany({ data: { ...row, createdAt: new Date(at), recordSeq: seq } });
    }
    if (event.type === "passkey_revoked") {
      await tx.passkey.updateMany({
        where: { workspaceId, credentialId: event.credential_id, revokedAt: null },
        data: { revokedAt: new Date(at), revokedSeq: seq },
      });
    }
  }
};

/** A revoked row signs nothing, whatever its record. */
export const isRevokedRow = async (workspaceId: string, credentialId: string): Promise<boolean> =>
  (await getDatabase().passkey.count({ where: { workspaceId, credentialId, revokedAt: { not: null } } })) > 0;

/** Notes a use. @param at ms since 1970 */
export const markUsed = async (workspaceId: string, { credential_id: credentialId }: Pick<Passkey, "credential_id">, at: number) => {
  const lastUsedAt = new Date(at);
  await getDatabase().passkey.updateMany({
    where: { workspaceId, credentialId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: lastUsedAt } }] },
    data: { lastUsedAt },
  });
};
