import { AppError } from "@/lib/errors";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { CommandBody } from "@/lib/engine/proposal";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { systemClock } from "@/server/clock";
import { sealCommand, type Sender } from "@/server/store/runs/command-envelope";
import { findCommandOutcome, insertCommand, insertCommandOnce, type CommandOutcome, type NewCommand } from "@/server/store/runs/commands";
import { awaitAnswer } from "./await-answer";
import { getWebVault } from "./web-vault";

export type Submission = {
  readonly author: Sender;
  readonly workspaceId: string;
  readonly runId: string;
  readonly body: CommandBody | WorkspaceCommand;
};

const sealed = (id: string, submission: Submission): NewCommand =>
  sealCommand(getWebVault(), { ...submission, id, sentAt: systemClock.now() });

export const sendCommand = (id: string, submission: Submission): Promise<void> =>
  insertCommand(submission.workspaceId, sealed(id, submission));

/** Stores an idempotent command. @returns the first one's run */
export const sendOnce = (id: string, submission: Submission): Promise<{ readonly runId: string }> =>
  insertCommandOnce(submission.workspaceId, sealed(id, submission));

export const awaitOutcome = (workspaceId: string, runId: string, id: string, mostMs?: number): Promise<CommandOutcome | null> =>
  awaitAnswer(runId, () => findCommandOutcome(workspaceId, id), mostMs);

/** @throws AppError for a refusal */
export const awaitRecord = async (
  { workspaceId, runId }: Pick<Submission, "workspaceId" | "runId">,
  id: string,
): Promise<{ seq: number }> => {
  const outcome = await awaitOutcome(workspaceId, runId, id);
  if (!outcome) throw new AppError("runner_silent");
  // The browser obtains the proof and retries.
  if (outcome.refusal?.code === "step_up_required") throw new AppError("step_up_required");
  if (outcome.refusal) throw new AppError("refused", { refusal: outcome.refusal.code });

  return { seq: outcome.seq };
};

/** Submits a command. @param id of an idempotent one @returns its record's seq @throws AppError */
export const submitCommand = async (submission: Submission, id?: string): Promise<{ seq: number }> => {
  if (id !== undefined) {
    await sendOnce(id, submission);

    return awaitRecord(submission, id);
  }
  const once = systemClock.id();
  await sendCommand(once, submission);

  return awaitRecord(submission, once);
};

/** Submits a command about the workspace. @returns its record's number in that ledger @throws AppError */
export const submitToWorkspace = async (
  { workspaceId, author }: Pick<Submission, "workspaceId" | "author">,
  body: WorkspaceCommand,
): Promise<{ record: number }> => {
  const { seq } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

  return { record: seq };
};

/** Submits all before waiting. @throws AppError */
export const submitCommands = async (submissions: readonly Submission[]): Promise<void> => {
  const sent = submissions.map((submission) => ({ id: systemClock.id(), submission }));
  for (const { id, submission } of sent) await sendCommand(id, submission);
  for (const { id, submission } of sent) await awaitRecord(submission, id);
};
