import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { MemoryFault, RememberedHead } from "@/lib/engine/ledger/remembered";
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys, SignedDigest } from "@/lib/engine/ledger/signature";
import type { TamperKind } from "@/lib/engine/verify/tamper";
import type { LedgerExport, Verification } from "@/lib/engine/verify/verify";
import type { WorkspaceExportVerification } from "@/lib/engine/verify/verify-workspace-export";

/** A run's ledger, or the URL from which the worker loads a workspace. */
export type Subject = { readonly type: "run"; readonly ledger: LedgerExport } | { readonly type: "workspace"; readonly url: string };

/** Requests to the worker. The subject is loaded once; tampering works on a copy. */
export type LedgerRequest =
  | { readonly type: "load"; readonly subject: Subject }
  /** Replaces the subject with a tampered copy; null restores it. */
  | { readonly type: "tamper"; readonly kind: TamperKind | null }
  | {
      readonly type: "verify";
      readonly keys: PublicKeys;
      /** For workspaces: handovers in addition to the included ones. */
      readonly handovers?: readonly SignedHandover[];
      /** For workspaces: checkpoints kept elsewhere. */
      readonly kept: readonly SignedCheckpoint[];
      /** For runs: the last verified head. */
      readonly remembered: RememberedHead | null;
    };

export type Loaded = { readonly records: number; readonly keys: PublicKeys; readonly newest: SignedCheckpoint | null };
export type Change = { readonly run: string; readonly seq: number | null; readonly before: string; readonly after: string };
export type RunResult = Verification | ({ readonly ok: false } & MemoryFault);

export type LedgerResponse =
  | { readonly type: "loaded"; readonly loaded: Loaded }
  /** null if there are too few records. */
  | { readonly type: "tampered"; readonly change: Change | null }
  | { readonly type: "progress"; readonly checked: number; readonly total: number }
  | { readonly type: "run_result"; readonly result: RunResult }
  | { readonly type: "workspace_result"; readonly result: WorkspaceExportVerification }
  | { readonly type: "failed"; readonly message: string };

/** Messages between the verifier and the signature worker. */
export type SignatureRequest = { readonly id: number; readonly signed: readonly SignedDigest[] };
export type SignatureResponse = { readonly id: number; readonly good: readonly boolean[] };
