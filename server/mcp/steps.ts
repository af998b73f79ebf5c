/** Registry steps, signed by the runner. */
import type { SignedChange } from "@/lib/admin-change";
import type { Countersigned } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminStep } from "@/server/admin-step";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import type { RecordStep } from "@/server/store/mcp/settings";

/** `by` null: the engine. */
type McpStep = Omit<AdminStep, "area" | "by"> & { readonly by: Principal | null };

/** @param within the change's transaction */
export type RecordMcpStep = (workspaceId: string, step: McpStep, within?: LedgerTransaction) => Promise<unknown>;

/** @returns events for its record, or the refusal */
export type VerifyChange = (workspaceId: string, userId: string, change: SignedChange) => Promise<readonly Countersigned[] | RefusalCode>;

export const recordStepBy =
  (
    record: RecordMcpStep,
    workspaceId: string,
    subject: string,
    step: string,
    asked: Pick<McpStep, "by" | "commandId" | "also"> | null = null,
  ): RecordStep =>
  (digests, within) =>
    record(workspaceId, { by: null, ...asked, subject, step, ...digests }, within);
