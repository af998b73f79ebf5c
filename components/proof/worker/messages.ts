import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { MemoryFault, RememberedHead } from "@/lib/engine/ledger/remembered";
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys, SignedDigest } from "@/lib/engine/ledger/signature";
import type { TamperKind } from "@/lib/engine/verify/tamper";
import type { LedgerExport, Verification } from "@/lib/engine/verify/verify";
import type { WorkspaceExportVerification } from "@/lib/engine/verify/verify-workspace-export";

/** Run ledger, or a workspace's URL. */
export type Subject = { readonly type: "run"; readonly ledger: LedgerExport } | { readonly type: "workspace"; readonly url: string };

/** The subject loads once; tampering uses a copy. */
export type LedgerRequest =
  | { readonly type: "load"; readonly subject: Subject }
  /** Null restores the subject. */
  | { readonly type: "tamper"; readonly kind: TamperKind | null }
  | {
      readonly type: "verify";
      readonly keys: PublicKeys;
      /** Workspaces only; adds to the included ones. */
      readonly handovers?: readonly SignedHandover[];
      /** Workspaces only. */
      readonly kept: readonly SignedCheckpoint[];
      /** Last verified run head. */
      readonly remembered: RememberedHead | null;
    };

export type Loaded = { readonly records: number; readonly keys: PublicKeys; readonly newest: SignedCheckpoint | null };
export type Change = { readonly run: string; readonly seq: number | null; readonly before: string; readonly after: string };
export type RunResult = Verification | ({ readonly ok: false } & MemoryFault);

export type LedgerResponse =
  | { readonly type: "loaded"; readonly loaded: Loaded }
  /** Null: too few records. */
  | { readonly type: "tampered"; readonly change: Change | null }
  | { readonly type: "progress"; readonly checked: number; readonly total: number }
  | { readonly type: "run_result"; readonly result: RunResult }
  | { readonly type: "workspace_result"; readonly result: WorkspaceExportVerification }
  | { readonly type: "failed"; readonly message: string };

export type SignatureRequest = { readonly id: number; readonly signed: readonly SignedDigest[] };
export type SignatureResponse = { readonly id: number; readonly good: readonly boolean[] };
