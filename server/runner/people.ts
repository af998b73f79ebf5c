import { toPeopleChange } from "@/lib/admin-change";
import type { Principal } from "@/lib/engine/principal";
import type { PeopleCommand } from "@/lib/people/command";
import { decidePeople, describePeopleStep } from "@/lib/people/decide";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { endSessionsOf, toEnding } from "@/server/runner/ended-sessions";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { verifySignedChange } from "@/server/runner/signed-change";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { changePeople, getPeopleFacts } from "@/server/store/people/changes";
import { endSessions, type Ending } from "@/server/store/people/session-endings";

const endIn = async ({ authority }: RunnerDeps, workspaceId: string, client: LedgerTransaction, ending: Ending, atMs: number) =>
  endSessionsOf(client, await authority.read(workspaceId, client), ending, atMs);

export const carryOutPeople = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: PeopleCommand): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    const at = deps.clock.now();
    // Reread under the lock: of two admins removing each other, the second has lost the role.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const facts = await getPeopleFacts(client, workspaceId, asked, at);
    const decided = by ? decidePeople(by, asked, facts) : "principal_not_allowed";
    const { area, subject } = describePeopleStep(asked);
    // Changing a row that differs from the records would record all of it.
    const matched =
      typeof decided === "string" || decided.before === null
        ? decided
        : ((await unlessUnproved(deps.authority.demand(workspaceId, area, subject, decided.before, client))) ?? decided);
    const signed =
      typeof matched === "string" || by?.type !== "user"
        ? []
        : await verifySignedChange(deps.authority, workspaceId, by.id, toPeopleChange(asked, by.id), client);
    const ending = toEnding(asked);
    const ended = ending && typeof matched !== "string" ? await unlessUnproved(endIn(deps, workspaceId, client, ending, at)) : [];
    const outcome =
      typeof matched === "string"
        ? matched
        : typeof signed === "string"
          ? signed
          : typeof ended === "string"
            ? ended
            : { ...matched, also: [...signed, ...ended] };
    const isRefused = typeof outcome === "string";
    const digests = isRefused ? { before: null, after: null, refused: outcome } : outcome;

    return {
      sign: createAdminStepSigner(deps, workspaceId, { ...describePeopleStep(asked), ...digests, by: by ?? author, commandId: id }),
      project: async ({ seq }) => {
        if (isRefused || by?.type !== "user") return;
        await changePeople(client, workspaceId, asked, { by: by.id, at, seq });
        if (ending) await endSessions(client, workspaceId, ending, at);
      },
    };
  });
  deps.notify(command.runId);
};
