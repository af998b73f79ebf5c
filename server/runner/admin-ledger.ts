import { randomUUID } from "node:crypto";
import { recordDigest } from "@/lib/engine/ledger/chain";
import type { AdminArea, AdminChanged } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { AdminStep } from "@/server/admin-step";
import type { Clock } from "@/server/clock";
import type { Signer } from "@/server/security/keyring";
import { appendOwnRecord, appendOwnRecordAlone, type LedgerTransaction, type LedgerEnd } from "@/server/store/runs/attempts";

export type AdminSigning = { readonly clock: Clock; readonly signer: Signer };

const PROPOSAL_KIND = {
  mcp: "mcp_step",
  models: "models_step",
  people: "people_step",
  passwords: "passwords_step",
  identities: "identities_step",
  sessions: "sessions_step",
  versions: "versions_step",
  tokens: "tokens_step",
  workspace: "workspace_step",
  policy: "policy_step",
  alarms: "alarms_step",
  stops: "stops_step",
  accounts: "accounts_step",
  facts: "facts_step",
  webhooks: "webhooks_step",
  environments: "environments_step",
  directory: "directory_step",
} as const satisfies Record<AdminArea, string>;

export const ENGINE: Principal = { type: "engine", epoch: 1 };

export const signOwnRecord =
  (
    { signer }: Pick<AdminSigning, "signer">,
    proposal: Parameters<typeof ownRecord>[0],
    outcome: Parameters<typeof ownRecord>[1],
    ids?: readonly string[],
  ) =>
  (end: LedgerEnd | null): SignedRecord => {
    const record = ownRecord(proposal, outcome, end, ids);
    const digest = recordDigest(record);

    return { record, digest, kid: signer.kid, signature: signer.signDigest(digest) };
  };

export const createAdminStepSigner = (
  signing: AdminSigning,
  workspaceId: string,
  { by, area, subject, step, before, after, also = [], refused, commandId }: AdminStep,
): ((end: LedgerEnd | null) => SignedRecord) => {
  const event: AdminChanged = { type: "admin_changed", area, subject, step, before, after };
  const body = { kind: PROPOSAL_KIND[area], subject, step, before, after };
  const asked = { id: commandId ?? randomUUID(), workspace: workspaceId, at: signing.clock.now(), principal: by, body };

  return signOwnRecord(signing, asked, refused ?? [event, ...also], refused === undefined ? [] : [subject, step]);
};

export const recordAdminStep = async (
  signing: AdminSigning,
  workspaceId: string,
  step: AdminStep,
  within?: LedgerTransaction,
): Promise<SignedRecord> => {
  const sign = createAdminStepSigner(signing, workspaceId, step);

  return within ? appendOwnRecord(within, workspaceId, sign) : appendOwnRecordAlone(workspaceId, sign);
};
