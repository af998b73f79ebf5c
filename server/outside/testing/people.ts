import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getClearance } from "@/lib/engine/approvals/policy";
import { submitCommand } from "@/server/web/submit-command";
import { replayWhole } from "@/server/web/open-run";
import { openTestSession } from "@/server/testing/authority";
import type { Desk } from "@/server/runner/testing/desk";

/** Decides as the reviewer at the only open gate. */
export const decideOpenGate = async ({ workspace, people, urls }: Desk, runId: string, decision: "approve" | "reject"): Promise<void> => {
  const { published, state } = await replayWhole(workspace, runId);
  const gate = Object.values(state.gates).find(({ status }) => status === "open");
  if (!gate) throw new Error("no gate is open");
  const view = buildApprovalView(published, state, gate, getClearance({ role: "reviewer", auditor: false }));
  await submitCommand({
    workspaceId: workspace,
    author: { type: "user", id: people.reviewer, session: await openTestSession(urls.admin, people.reviewer) },
    runId,
    body: {
      kind: "decision",
      approval_id: gate.gate.id,
      transition_digest: gate.gate.transition_digest,
      view_digest: computeViewDigest(view),
      decision,
      ...(decision === "reject" ? { reason: "No." } : {}),
      nonce: gate.gate.nonce,
    },
  });
};
