import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { MemoryFault, RememberedHead } from "@/lib/engine/ledger/remembered";
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys, SignedDigest } from "@/lib/engine/ledger/signature";
import type { TamperKind } from "@/lib/engine/verify/tamper";
import type { LedgerExport, Verification } from "@/lib/engine/verify/verify";
import type { WorkspaceExportVerification } from "@/lib/engine/verify/verify-workspace-export";

/** What the verifier holds: a run's ledger, or all records of a workspace, which it fetches by itself. */
export type Subject = { readonly type: "run"; readonly ledger: LedgerExport } | { readonly type: "workspace"; readonly url: string };

/** What a page asks of the worker. The subject is loaded once; what is tampered with is always a copy of it. */
export type LedgerRequest =
  | { readonly type: "load"; readonly subject: Subject }
  /** Puts a copy that was tampered with in the place of the subject; null: the subject as it was loaded. */
  | { readonly type: "tamper"; readonly kind: TamperKind | null }
  | {
      readonly type: "verify";
      readonly keys: PublicKeys;
      /** Of a workspace: hand-overs that count besides those that it carries. */
      readonly handovers?: readonly SignedHandover[];
      /** Of a workspace: checkpoints that were kept elsewhere. */
      readonly kept: readonly SignedCheckpoint[];
      /** Of a run: where it stood before. */
      readonly remembered: RememberedHead | null;
    };

export type Loaded = { readonly records: number; readonly keys: PublicKeys; readonly newest: SignedCheckpoint | null };
export type Change = { readonly run: string; readonly seq: number | null; readonly before: string; readonly after: string };
export type RunResult = Verification | ({ readonly ok: false } & MemoryFault);

export type LedgerResponse =
  | { readonly type: "loaded"; readonly loaded: Loaded }
  /** null: there is too little in it to do that. */
  | { readonly type: "tampered"; readonly change: Change | null }
  | { readonly type: "progress"; readonly checked: number; readonly total: number }
  | { readonly type: "run_result"; readonly result: RunResult }
  | { readonly type: "workspace_result"; readonly result: WorkspaceExportVerification }
  | { readonly type: "failed"; readonly message: string };

/** What the verifier asks of the worker for signatures, over a port between the two. */
export type SignatureRequest = { readonly id: number; readonly signed: readonly SignedDigest[] };
export type SignatureResponse = { readonly id: number; readonly good: readonly boolean[] };
