import type { AlarmCommand } from "@/lib/trust-alarm";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { acknowledgeAlarm, isAlarmOpen } from "@/server/store/trust/alarms";

const refusalOf = async (
  client: LedgerTransaction,
  workspaceId: string,
  by: Principal | null,
  alarm: string,
): Promise<RefusalCode | null> => {
  if (by?.type !== "user") return "principal_not_allowed";
  if (!isAllowed(by.role, "alarm.manage")) return "role_missing";

  return (await isAlarmOpen(client, workspaceId, alarm)) ? null : "not_found";
};

/** Acknowledges an alarm on record. */
export const carryOutAlarm = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  { alarm }: AlarmCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const refused = await refusalOf(client, workspaceId, by, alarm);
    const step = { area: "alarms", subject: alarm, step: "acknowledge", before: null, after: null, commandId: id } as const;

    return {
      sign: createAdminStepSigner(deps, workspaceId, { ...step, by: by ?? author, ...(refused ? { refused } : {}) }),
      project: async () => {
        if (!refused && by?.type === "user") await acknowledgeAlarm(client, workspaceId, alarm, by.id, deps.clock.now());
      },
    };
  });
  deps.notify(command.runId);
};
