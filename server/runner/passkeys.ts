/** Commands about passkeys: each becomes a record of the workspace's own ledger, and only by such records is one believed. */
import { recordDigest } from "@/lib/engine/chain";
import type { Assertion, Passkey } from "@/lib/engine/assertion";
import { decidePasskey, passkeyRecord, passkeysIn, type PasskeyCommand } from "@/lib/engine/passkey-ledger";
import type { Principal } from "@/lib/engine/principal";
import { ownOrigin } from "@/server/own-origin";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { appendDecided } from "@/server/store/attempts";
import { isRevokedRow, passkeyRecords, projectPasskey } from "@/server/store/passkeys";

/** Decides by what the ledger says at that moment, and records it together with the row for lists. */
export const carryOutPasskey = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  principal: Principal,
  body: PasskeyCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  const keys = await deps.publicKeys();
  const asked = { id, workspace: workspaceId, at: deps.clock.now(), principal, body } satisfies Parameters<typeof passkeyRecord>[0];
  await appendDecided(workspaceId, id, async (client) => {
    const known = await passkeysIn(workspaceId, await passkeyRecords(workspaceId, client), keys);
    const outcome = decidePasskey(principal, body, known);

    return {
      sign: (end) => {
        const record = passkeyRecord(asked, outcome, end);
        const digest = recordDigest(record);

        return { record, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
      },
      project: (record) => projectPasskey(client, record, body.kind === "passkey_register" ? body.label : ""),
    };
  });
  deps.notify(command.runId);
};

/** The passkey that an assertion names, when signed records say that it is this person's and not revoked; otherwise null. */
export const believedPasskey = async (
  deps: Pick<RunnerDeps, "publicKeys">,
  workspaceId: string,
  userId: string,
  { credential_id: named }: Assertion,
): Promise<Passkey | null> => {
  const known = await passkeysIn(workspaceId, await passkeyRecords(workspaceId), await deps.publicKeys());
  const found = known.find(({ credential_id, user, revokedAt }) => credential_id === named && user === userId && revokedAt === null);
  if (!found || (await isRevokedRow(workspaceId, named))) return null;
  const { credential_id, public_key, rp_id, origin } = found;

  // A record from before origins were kept: this installation's own, which the decision's record then names.
  return { credential_id, public_key, rp_id, origin: origin ?? ownOrigin() };
};
