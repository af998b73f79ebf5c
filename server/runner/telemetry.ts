import { countBudgetThreshold, countStep, type DriveOutcome } from "@/server/metrics";
import type { Committed, Session } from "@/server/runner/session";
import type { PendingCommand } from "@/server/store/runs/commands";
import { runInSpan } from "@/server/trace";

export const traceDrive = (
  { root, state }: Pick<Session, "root" | "state">,
  traceparent: string | null,
  drive: () => Promise<DriveOutcome | null>,
): Promise<DriveOutcome | null> => {
  const { name } = root.graph;
  const { workspace, run, graphHash } = state();

  return runInSpan(
    `invoke_workflow ${name}`,
    {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": name,
      "countersign.workspace": workspace,
      "countersign.run": run,
      "countersign.graph.hash": graphHash,
    },
    async (note) => {
      const outcome = await drive();
      if (outcome !== null) note({ "countersign.outcome": outcome });

      return outcome;
    },
    "inside",
    traceparent,
  );
};

/** Continues the trace of the process that sent the command. */
export const traceCommand = <T>(
  { workspaceId, runId, traceparent = null }: Pick<PendingCommand, "workspaceId" | "runId" | "traceparent">,
  decide: () => Promise<T>,
): Promise<T> =>
  traceparent === null
    ? decide()
    : runInSpan("decide_command", { "countersign.workspace": workspaceId, "countersign.run": runId }, decide, "answers", traceparent);

export const traceCommit = (commit: () => Promise<Committed>): Promise<Committed> =>
  runInSpan("commit", {}, async (note) => {
    const committed = await commit();
    const { verdict, signed } = committed;
    if (signed) countStep(verdict.ok ? { verdict: "accepted" } : { verdict: "refused", code: verdict.refusal.code });
    if (signed) for (const event of verdict.ok ? verdict.events : []) if (event.type === "budget_threshold") countBudgetThreshold(event);
    note({
      ...(signed && { "countersign.seq": signed.record.seq }),
      "countersign.outcome": verdict.ok ? "accepted" : verdict.refusal.code,
    });

    return committed;
  });
