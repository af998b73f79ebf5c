/** How steps of the registry are put on record: the runner signs, and this folder says what happened. */
import type { SignedChange } from "@/lib/admin-change";
import type { Countersigned } from "@/lib/engine/event-passkey";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminStep } from "@/server/admin-step";
import type { LedgerClient } from "@/server/store/runs/attempts";
import type { RecordStep } from "@/server/store/mcp/settings";

/** One step about one server, which is its subject. `by` null: nobody asked for it, it is the engine's own. */
type McpStep = Omit<AdminStep, "area" | "by"> & { readonly by: Principal | null };

/** @param within the transaction of the change; without one the record stands by itself */
export type RecordMcpStep = (workspaceId: string, step: McpStep, within?: LedgerClient) => Promise<unknown>;

/** Checks what a person signed of a change. @returns the events for its record, or why it is refused */
export type VerifyChange = (workspaceId: string, userId: string, change: SignedChange) => Promise<readonly Countersigned[] | RefusalCode>;

/** The record of one step, for the transaction that makes it. */
export const stepBy =
  (
    record: RecordMcpStep,
    workspaceId: string,
    subject: string,
    step: string,
    asked: { readonly by: Principal; readonly commandId?: string; readonly also?: readonly Countersigned[] } | null = null,
  ): RecordStep =>
  (digests, within) =>
    record(workspaceId, { by: null, ...asked, subject, step, ...digests }, within);
