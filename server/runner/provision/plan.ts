import type { RunEvent } from "@/lib/engine/event";
import type { HexDigest } from "@/lib/hash";
import type { WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { RefusalCode } from "@/lib/refusal";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export type ProvisionContext = {
  readonly client: LedgerTransaction;
  readonly records: WorkspaceAuthority;
  readonly atMs: number;
  readonly token: HexDigest;
};

/** `refused`: people whose access stays. */
export type ProvisionPlan = {
  readonly events: readonly RunEvent[];
  readonly project: () => Promise<void>;
  readonly refused?: readonly { readonly user: string; readonly code: RefusalCode }[];
};
