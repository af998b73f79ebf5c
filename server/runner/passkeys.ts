/** Passkey commands; a passkey's only proof is its record. */
import { recordDigest } from "@/lib/engine/ledger/chain";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";
import { ALLOWANCE_MS } from "@/lib/engine/ledger/passkey-fold";
import { decidePasskey, passkeyRecord, type PasskeyCommand } from "@/lib/engine/ledger/passkey-ledger";
import type { Principal } from "@/lib/engine/principal";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import { ownOrigin } from "@/server/own-origin";
import { ENGINE, type AdminSigning } from "@/server/runner/admin-ledger";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import { getCode, identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { appendDecided, appendOwnRecordAlone } from "@/server/store/runs/attempts";
import { isRevokedRow, projectPasskey } from "@/server/store/people/passkeys";
import { getRoles } from "@/server/store/people/principals";

export const carryOutPasskey = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, body: PasskeyCommand): Promise<void> => {
  const { workspaceId, id } = command;
  const { authority } = deps;
  const record = appendDecided(workspaceId, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const principal = isPrincipal(identified) ? identified : null;
    const isMember = body.kind === "passkey_allow" && (await getRoles(authority, workspaceId, [body.user]))[body.user] !== undefined;
    const { passkeys: fold } = await authority.read(workspaceId, client);
    const asked = { id, workspace: workspaceId, at: deps.clock.now(), principal: principal ?? author, body } as const;
    const facts = { workspace: workspaceId, fold, atMs: asked.at, origin: ownOrigin(), isMember };
    const outcome = principal ? decidePasskey(principal, body, facts) : "principal_not_allowed";

    return {
      sign: (end) => {
        const made = passkeyRecord(asked, outcome, end);
        const digest = recordDigest(made);

        return { record: made, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
      },
      project: (made) => projectPasskey(client, made, body.kind === "passkey_register" ? body.label : ""),
    };
  });
  await record.catch((error: unknown) => answerRefused(deps, command, getCode(error)));
  deps.notify(command.runId);
};

/** Lets a person register a passkey as the operator. @returns the deadline, ms since 1970 */
export const allowAsOperator = async ({ clock, signer }: AdminSigning, workspaceId: string, user: string): Promise<number> => {
  const at = clock.now();
  const allowed = { type: "passkey_allowed", user, allowance: clock.id(), expires_at: at + ALLOWANCE_MS } as const;
  const asked = { id: clock.id(), workspace: workspaceId, at, principal: ENGINE, body: { kind: "passkey_allow", user } };
  await appendOwnRecordAlone(workspaceId, (end) => {
    const record = ownRecord(asked, allowed, end);
    const digest = recordDigest(record);

    return { record, digest, kid: signer.kid, signature: signer.signDigest(digest) };
  });

  return allowed.expires_at;
};

/** Returns the asserted passkey if signed records give it to this person unrevoked, or null. */
export const findBelievedPasskey = async (
  { authority }: Pick<RunnerDeps, "authority">,
  workspaceId: string,
  userId: string,
  { credential_id: named }: Assertion,
): Promise<Passkey | null> => {
  const found = (await authority.read(workspaceId)).passkeys.passkeys.get(named);
  if (found?.user !== userId || found.revokedAt !== null || (await isRevokedRow(workspaceId, named))) return null;
  const { credential_id, public_key, rp_id, origin } = found;

  // Older records lack the origin: it is this installation's.
  return { credential_id, public_key, rp_id, origin: origin ?? ownOrigin() };
};
