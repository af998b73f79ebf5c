/** People's proposals: opened, given the role the database has now, and decided like everything else. */
import { refuse, type RefusalCode } from "@/lib/refusal";
import { commandBodySchema, type CommandBody, type ProposalBody } from "@/lib/engine/proposal";
import type { RunnerDeps } from "@/server/runner/deps";
import { decideFork } from "@/server/runner/fork";
import type { Session } from "@/server/runner/session";
import { answerCommand, commandPrincipal, pendingCommands, type PendingCommand } from "@/server/store/commands";

export const answerRefused = (deps: RunnerDeps, command: PendingCommand, code: RefusalCode) =>
  answerCommand(command.workspaceId, command.id, "refused", { seq: -1, refusal: refuse(code) }, deps.clock.now());

/** What a command says, or null when it is not one or was tampered with. */
export const openCommandBody = (deps: RunnerDeps, command: PendingCommand): CommandBody | null => {
  try {
    return commandBodySchema.safeParse(deps.vault.openCommand(command.workspaceId, command.id, command.body)).data ?? null;
  } catch {
    return null;
  }
};

const proposalOf = (body: Exclude<CommandBody, { kind: "fork" }>, session: Session): ProposalBody =>
  body.kind === "start" ? { ...body, author: session.author } : body;

const decideCommand = async (deps: RunnerDeps, session: Session, command: PendingCommand): Promise<void> => {
  // Delivered twice, decided once: the record of the first delivery is the answer.
  const seq = session.state().proposals[command.id];
  if (seq !== undefined) {
    const refusal = session.records()[seq]?.record.refusal ?? null;
    await answerCommand(command.workspaceId, command.id, refusal ? "refused" : "accepted", { seq, refusal }, deps.clock.now());

    return;
  }
  const body = openCommandBody(deps, command);
  const principal = await commandPrincipal(command, deps.clock.now());
  if (!body || !principal || (session.state().version === 0 && body.kind !== "start")) {
    await answerRefused(deps, command, body ? "not_found" : "malformed");

    return;
  }
  if (body.kind === "fork") {
    await decideFork(deps, session, body, principal, command.id);

    return;
  }
  await session.submit({
    principal,
    body: proposalOf(body, session),
    command: command.id,
  });
};

/** Decides everything that people have asked of this run so far. @throws LeaseLost */
export const decideCommands = async (deps: RunnerDeps, session: Session): Promise<void> => {
  const { workspace, run } = session.state();
  for (const command of await pendingCommands(workspace, run)) await decideCommand(deps, session, command);
};

/** Answers everything that is asked of a run nobody can go on with. */
export const refuseCommands = async (deps: RunnerDeps, workspaceId: string, runId: string, code: RefusalCode): Promise<void> => {
  for (const command of await pendingCommands(workspaceId, runId)) await answerRefused(deps, command, code);
};
