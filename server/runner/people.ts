/** Commands about people: decided by what the database says at that moment, each a record of the workspace's own ledger. */
import { peopleCommandSchema, type PeopleCommand } from "@/lib/people/command";
import { decidePeople, peopleStepOf } from "@/lib/people/decide";
import { adminStepSigner } from "@/server/runner/admin-ledger";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import { appendDecided } from "@/server/store/attempts";
import { attemptPrincipal, type PendingCommand } from "@/server/store/commands";
import { changePeople, peopleFacts } from "@/server/store/people-changes";

/** What a command to a workspace itself asks for, or null when it is something else. */
export const peopleCommandOf = (deps: RunnerDeps, { workspaceId, id, body }: PendingCommand): PeopleCommand | null => {
  try {
    return peopleCommandSchema.safeParse(deps.vault.openCommand(workspaceId, id, body)).data ?? null;
  } catch {
    return null;
  }
};

/** Decides, records and does it, or records why not. */
export const carryOutPeople = async (deps: RunnerDeps, command: PendingCommand, asked: PeopleCommand): Promise<void> => {
  const { workspaceId, id } = command;
  const author = await attemptPrincipal(command);
  // What nobody of this workspace sealed is no attempt of theirs.
  if (!author) return answerRefused(deps, command, "not_found");
  await appendDecided(workspaceId, id, async (client) => {
    const at = deps.clock.now();
    // Asked again while nobody else's turn it is: of two admins who put each other out, the second is none any more.
    const by = await attemptPrincipal(command);
    const facts = await peopleFacts(client, workspaceId, asked, at);
    const outcome = by ? decidePeople(by, asked, facts) : "principal_not_allowed";
    const isRefused = typeof outcome === "string";
    const digests = isRefused ? { before: null, after: null, refused: outcome } : outcome;

    return {
      sign: adminStepSigner(deps, workspaceId, { ...peopleStepOf(asked), ...digests, by: by ?? author, commandId: id }),
      project: async ({ seq }) => {
        if (!isRefused && by?.type === "user") await changePeople(client, workspaceId, asked, { by: by.id, at, seq });
      },
    };
  });
  deps.notify(command.runId);
};
