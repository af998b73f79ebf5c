/** Verification faults as sentences, shared by browser, CLI and offline page. */
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
  not_consistent: "The checkpoint does not go on from the one before it.",
} as const satisfies Record<LedgerFault, string>;

export const EXPORT_FAULT_TEXT = {
  ...BAD_REASON_TEXT,
  state: "The records lead to another state than the one that is shown.",
  graph: "The graph in the export is not the version that this record executed.",
  checkpoint: "The checkpoint in the export does not count the run's last record under a key that is known here.",
  head: "What the export says of the run's head is not what a known key signed.",
  export: "The document is not what was signed when it was exported, although its records are.",
} as const satisfies Record<Exclude<ExportVerification, { ok: true }>["reason"], string>;
