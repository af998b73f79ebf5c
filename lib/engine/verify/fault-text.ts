import { BAD_REASON_TEXT } from "@/lib/engine/verify/bad-reasons";
import type { ExportVerification } from "@/lib/engine/ledger/export";
import { MEMORY_FAULT_TEXT, type MemoryFault } from "@/lib/engine/ledger/remembered";
import type { BadReason } from "@/lib/engine/verify/verify";
import { WORKSPACE_FAULT_TEXT } from "@/lib/engine/verify/verify-workspace";
import type { WorkspaceExportFault } from "@/lib/engine/verify/verify-workspace-export";

export type LedgerFault = BadReason | WorkspaceExportFault | MemoryFault["reason"];

export const FAULT_TEXT = {
  ...BAD_REASON_TEXT,
  ...WORKSPACE_FAULT_TEXT,
  ...MEMORY_FAULT_TEXT,
  not_consistent: "The checkpoint does not extend the previous one.",
} as const satisfies Record<LedgerFault, string>;

export const EXPORT_FAULT_TEXT = {
  ...BAD_REASON_TEXT,
  state: "Replaying the records gives a different state than the one shown.",
  graph: "The graph in the export is not the version this record executed.",
  checkpoint: "The checkpoint in the export does not cover the run's last record with a known key.",
  head: "The run head in the export is not signed by a known key.",
  export: "The records are valid, but the document was changed after it was exported and signed.",
} as const satisfies Record<Exclude<ExportVerification, { ok: true }>["reason"], string>;
