/** What is wrong with what was verified, as a sentence: the same one in the browser, on the command line and offline. */
import { BAD_REASON_TEXT } from "@/lib/engine/bad-reasons";
import { MEMORY_FAULT_TEXT, type MemoryFault } from "@/lib/engine/remembered";
import type { BadReason } from "@/lib/engine/verify";
import { WORKSPACE_FAULT_TEXT } from "@/lib/engine/verify-workspace";
import type { WorkspaceExportFault } from "@/lib/engine/verify-workspace-export";

export type LedgerFault = BadReason | WorkspaceExportFault | MemoryFault["reason"];

export const FAULT_TEXT = {
  ...BAD_REASON_TEXT,
  ...WORKSPACE_FAULT_TEXT,
  ...MEMORY_FAULT_TEXT,
  not_consistent: "The checkpoint does not go on from the one before it.",
} as const satisfies Record<LedgerFault, string>;
