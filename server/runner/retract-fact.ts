import type { FactCommand } from "@/lib/facts/command";
import { decideRetraction, getFactSubject, RETRACTED } from "@/lib/facts/retractions";
import type { Principal } from "@/lib/engine/principal";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { hasFact } from "@/server/store/runs/facts";
import { appendDecided } from "@/server/store/runs/attempts";

export const carryOutFact = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: FactCommand): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async () => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const [authority, isFact] = await Promise.all([deps.authority.read(workspaceId), hasFact(workspaceId, asked)]);
    const refused = decideRetraction(by, asked, isFact, authority);
    const step = {
      area: "facts",
      subject: getFactSubject(asked),
      step: "retracted",
      by: by ?? author,
      commandId: id,
      before: null,
    } as const;
    const change = refused === null ? { after: RETRACTED } : { after: null, refused };

    return { sign: createAdminStepSigner(deps, workspaceId, { ...step, ...change }), project: () => Promise.resolve() };
  });
  deps.notify(command.runId);
};
