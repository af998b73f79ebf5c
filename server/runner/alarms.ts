import type { AlarmKind } from "@/lib/trust-alarm";
import { log } from "@/server/log";
import { countTrustAlarm } from "@/server/metrics";
import type { RunnerDeps } from "@/server/runner/deps";
import { ProjectionMismatch, type AuthorityUnverified } from "@/server/store/trust/authority";
import { insertAlarm } from "@/server/store/trust/alarms";
import { listAllWorkspaces } from "@/server/store/workspaces/log";

export type Alarm = {
  readonly kind: AlarmKind;
  /** Null: visible to every workspace's admins. */
  readonly workspaceId: string | null;
  readonly runId: string | null;
  /** Ids, codes and numbers only. */
  readonly detail: string;
};

export const raiseAlarm = async ({ clock }: Pick<RunnerDeps, "clock">, { kind, workspaceId, runId, detail }: Alarm): Promise<void> => {
  countTrustAlarm(kind);
  log().error({ kind, workspace: workspaceId, run: runId, detail }, "a trust alarm was raised");
  try {
    for (const workspace of workspaceId === null ? await listAllWorkspaces() : [workspaceId]) {
      await insertAlarm({ workspaceId: workspace, id: clock.id(), kind, runId, detail, at: clock.now() });
    }
  } catch (error) {
    log().error({ kind, run: runId, error: String(error) }, "a trust alarm was not kept");
  }
};

type Forged = { readonly workspaceId: string; readonly runId: string; readonly id: string };

export const raiseForged = (deps: Pick<RunnerDeps, "clock">, { workspaceId, runId, id }: Forged): Promise<void> =>
  raiseAlarm(deps, { kind: "forged_command", workspaceId, runId, detail: `command ${id}` });

export const toAlarm = (error: AuthorityUnverified | ProjectionMismatch): Alarm =>
  error instanceof ProjectionMismatch
    ? { kind: "projection_mismatch", workspaceId: error.workspaceId, runId: null, detail: `${error.area} ${error.subject}` }
    : { kind: "ledger_invalid", workspaceId: error.workspaceId, runId: null, detail: `${error.fault} in the workspace's own ledger` };
