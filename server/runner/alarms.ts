/** Trust alarms: logged, counted, and kept for admins until one of them acknowledges it on record. */
import type { AlarmCommand, AlarmKind } from "@/lib/trust-alarm";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { may } from "@/lib/roles";
import { log } from "@/server/log";
import { countTrustAlarm } from "@/server/metrics";
import { adminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { appendDecided, type LedgerClient } from "@/server/store/attempts";
import { ProjectionMismatch, type AuthorityUnverified } from "@/server/store/authority";
import { acknowledgeAlarm, insertAlarm, isAlarmOpen } from "@/server/store/trust-alarms";
import { allWorkspaces } from "@/server/store/workspace-log";

export type Alarm = {
  readonly kind: AlarmKind;
  /** Null: it is about the whole installation, and the admins of every workspace see it. */
  readonly workspaceId: string | null;
  readonly runId: string | null;
  /** Ids, codes and numbers; admins read it. */
  readonly detail: string;
};

/** Raises an alarm. Keeping it can fail with the database, which says so in the log and stops nobody. */
export const raiseAlarm = async ({ clock }: Pick<RunnerDeps, "clock">, { kind, workspaceId, runId, detail }: Alarm): Promise<void> => {
  countTrustAlarm(kind);
  log().error({ kind, workspace: workspaceId, run: runId, detail }, "a trust alarm was raised");
  try {
    for (const workspace of workspaceId === null ? await allWorkspaces() : [workspaceId]) {
      await insertAlarm({ workspaceId: workspace, id: clock.id(), kind, runId, detail, at: clock.now() });
    }
  } catch (error) {
    log().error({ kind, run: runId, error: String(error) }, "a trust alarm was not kept");
  }
};

/** What a row or a ledger that cannot be believed is told of. */
export const alarmOfFault = (error: AuthorityUnverified | ProjectionMismatch): Alarm =>
  error instanceof ProjectionMismatch
    ? { kind: "projection_mismatch", workspaceId: error.workspaceId, runId: null, detail: `${error.area} ${error.subject}` }
    : { kind: "ledger_invalid", workspaceId: error.workspaceId, runId: null, detail: `${error.fault} in the workspace's own ledger` };

const refusalOf = async (client: LedgerClient, workspaceId: string, by: Principal | null, alarm: string): Promise<RefusalCode | null> => {
  if (by?.type !== "user") return "principal_not_allowed";
  if (!may(by.role, "alarm.manage")) return "role_missing";

  return (await isAlarmOpen(client, workspaceId, alarm)) ? null : "not_found";
};

/** Acknowledges an alarm, on record, or records why not. */
export const carryOutAlarm = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  { alarm }: AlarmCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    // Asked again while nobody else's turn it is.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const refused = await refusalOf(client, workspaceId, by, alarm);
    const step = { area: "alarms", subject: alarm, step: "acknowledge", before: null, after: null, commandId: id } as const;

    return {
      sign: adminStepSigner(deps, workspaceId, { ...step, by: by ?? author, ...(refused ? { refused } : {}) }),
      project: async () => {
        if (!refused && by?.type === "user") await acknowledgeAlarm(client, workspaceId, alarm, by.id, deps.clock.now());
      },
    };
  });
  deps.notify(command.runId);
};
