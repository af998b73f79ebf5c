import type { StopCommand } from "@/lib/stop/command";
import { decideStop, OPERATOR_SWITCH, readStops, stepOf, STOPPED } from "@/lib/stop/stops";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import { createAdminStepSigner, ENGINE, type AdminSigning } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { notify } from "@/server/store/notify";
import { endHoldBacks } from "@/server/store/ledger/run-heads";
import { appendDecided, appendOwnRecords } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";

/** Every runner looks at once; a lost notification costs one interval of the watch. */
const announce = async (workspaceId: string, isStop: boolean): Promise<void> => {
  if (!isStop) await endHoldBacks(workspaceId);
  await notify("countersign_stop", workspaceId);
};

const afterOf = (isStop: boolean) => (isStop ? STOPPED : null);

/** Stops or resumes a workspace's work for an admin. @param author as of opening the command */
export const carryOutStop = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: StopCommand): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async () => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const authority = await deps.authority.read(workspaceId);
    const decided = decideStop(by, asked, readStops(authority));
    const isStop = asked.kind === "work_stop";
    const step = { area: "stops", subject: workspaceId, step: stepOf(isStop), by: by ?? author, commandId: id } as const;
    const change =
      typeof decided === "string"
        ? { before: null, after: null, refused: decided }
        : { before: digestInForce(authority, "stops", workspaceId), after: afterOf(decided) };

    return { sign: createAdminStepSigner(deps, workspaceId, { ...step, ...change }), project: () => Promise.resolve() };
  });
  await announce(workspaceId, asked.kind === "work_stop");
  deps.notify(command.runId);
};

/** Stops or resumes a workspace's work as the operator. @returns whether anything changed @throws AuthorityUnverified */
export const setStopAsOperator = async (
  signing: AdminSigning,
  authority: AuthorityReader,
  workspaceId: string,
  isStop: boolean,
): Promise<boolean> => {
  let isChanged = false;
  await appendOwnRecords(workspaceId, async () => {
    const before = digestInForce(await authority.read(workspaceId), "stops", OPERATOR_SWITCH);
    isChanged = (before !== null) !== isStop;
    const step = { area: "stops", subject: OPERATOR_SWITCH, step: stepOf(isStop), by: ENGINE, before, after: afterOf(isStop) } as const;

    return isChanged ? [createAdminStepSigner(signing, workspaceId, step)] : [];
  });
  await announce(workspaceId, isStop);

  return isChanged;
};
