import { recordDigest } from "@/lib/engine/ledger/chain";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { Principal } from "@/lib/engine/principal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminSigning } from "@/server/runner/admin-ledger";
import type { LedgerEnd } from "@/server/store/runs/attempts";
import type { TriggerPlace } from "@/server/store/triggers/events";

type Said = { readonly code: RefusalCode; readonly by: Principal; readonly names: readonly string[] };

export const signRefusal =
  (
    { clock, signer }: AdminSigning,
    { workspaceId, graphId, trigger, id }: TriggerPlace & { readonly id: string },
    { code, by, names }: Said,
  ) =>
  (end: LedgerEnd | null): SignedRecord => {
    const body = { kind: "trigger_event", graph: graphId, trigger, names: [...names] };
    const record = ownRecord({ id, workspace: workspaceId, at: clock.now(), principal: by, body }, code, end, [graphId, trigger, ...names]);
    const digest = recordDigest(record);

    return { record, digest, kid: signer.kid, signature: signer.signDigest(digest) };
  };
