import type { Tampered, TamperKind } from "@/lib/engine/verify/tamper";
import type { LedgerTamperKind } from "@/lib/engine/verify/tamper-ledger";
import type { ReplayFault } from "@/lib/engine/verify/verify-replay";
import type { WorkspaceExportFault } from "@/lib/engine/verify/verify-workspace-export";

export const LEDGER_FOUND_BY = {
  edit: "hash",
  reorder: "seq_gap",
  insert: "signature",
  delete: "seq_gap",
  truncate: "truncated",
  rollback: "head_shorter",
  fork: "link",
  wrong_key: "unknown_key",
  swapped_cells: "commitment",
  lowered_label: "cell_label",
} as const satisfies Record<LedgerTamperKind, ReplayFault["reason"] | "head_shorter">;

export const WORKSPACE_FOUND_BY = {
  edit: "hash",
  reorder: "seq_gap",
  insert: "signature",
  delete: "seq_gap",
  truncate: "record_missing",
  rollback: "log_shorter",
  fork: "link",
  deleted_run: "run_missing",
  forged_run: "unknown_key",
  unsigned_run: "signature",
  wrong_key: "unknown_key",
  swapped_cells: "signature",
  lowered_label: "signature",
} as const satisfies Record<TamperKind, WorkspaceExportFault>;

/** First record to name. */
export const placeOf = (kind: TamperKind, { run, seq }: Tampered<unknown>): { readonly run: string | null; readonly seq: number | null } =>
  kind === "rollback" ? { run: null, seq: null } : { run, seq };
