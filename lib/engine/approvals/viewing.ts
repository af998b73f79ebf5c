/** Seen parts of a view, as the page tells; signed with the decision. */
import { z } from "zod";
import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { listToSee } from "@/lib/engine/approvals/view-parts";
import type { Write } from "@/lib/engine/decide/verdict";
import { createSourceLabel } from "@/lib/graph/label";

const MOST_MS = 30 * 86_400_000;
const countSchema = z.number().int().min(0).max(100_000);

export const viewingSchema = z.strictObject({
  /** Since the page showed this request. */
  open_ms: z.number().int().min(0).max(MOST_MS),
  /** Of `listToSee`: seen or opened, and knowingly left. */
  opened: countSchema,
  unopened: countSchema,
});
export type Viewing = z.infer<typeof viewingSchema>;

export const recordedViewingSchema = viewingSchema.extend({ signals: countSchema });

/** A cell, so that earlier verifiers still read the record. */
export const getViewingPath = (approvalId: string): string => `$viewing.${approvalId}`;

/** Returns whether the counts are about this view. */
export const isOfView = ({ opened, unopened }: Viewing, view: Pick<ApprovalView, "lines" | "reason">): boolean =>
  opened + unopened === listToSee(view).length;

export const writeViewing = (view: Pick<ApprovalView, "approval_id" | "signals">, user: string, viewing: Viewing): Write => ({
  path: getViewingPath(view.approval_id),
  value: { ...viewing, signals: view.signals.length },
  label: createSourceLabel("trusted", "internal", `user:${user}`),
});
