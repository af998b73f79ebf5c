import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { signOwnRecord } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";

type Member = Extract<Principal, { type: "user" }>;

/** Decides and records a person's command that has no rows of its own. @param decide under the ledger's lock */
export const carryOutOwnChange = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  { author, body }: { readonly author: Principal; readonly body: Parameters<typeof signOwnRecord>[1]["body"] },
  decide: (by: Member, atMs: number, client: LedgerTransaction) => Promise<readonly RunEvent[] | RunEvent | RefusalCode>,
): Promise<void> => {
  const { workspaceId: workspace, id } = command;
  const at = deps.clock.now();
  await appendDecided(workspace, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) && identified.type === "user" ? identified : null;
    const outcome = by ? await unlessUnproved(decide(by, at, client)) : "principal_not_allowed";

    return {
      sign: signOwnRecord(deps, { id, workspace, at, principal: by ?? author, body }, outcome),
      project: () => Promise.resolve(),
    };
  });
  deps.notify(command.runId);
};
