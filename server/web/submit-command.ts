/** A proposal of a person or an outside agent on its way: stored sealed, answered by the runner, never decided here. */
import { AppError } from "@/lib/errors";
import { jsonSchema } from "@/lib/json";
import type { CommandBody } from "@/lib/engine/proposal";
import { systemClock } from "@/server/clock";
import { runBus } from "@/server/live/run-bus";
import { commandOutcome, insertCommand, type CommandAuthor, type CommandOutcome } from "@/server/store/commands";
import { webVault } from "./web-vault";

/** How long somebody waits for the runner's answer before it counts as silent. */
const ANSWER_MS = 15_000;
/** The answer is announced with its record; this finds it when the announcement is lost. */
const LOOK_AGAIN_MS = 250;

export type Submission = CommandAuthor & { readonly workspaceId: string; readonly runId: string; readonly body: CommandBody };

/** Stores a command for the runner. */
export const sendCommand = async (id: string, { workspaceId, body, ...by }: Submission): Promise<void> => {
  // Without members that are only undefined, as canonical JSON has none.
  const plain = jsonSchema.parse(JSON.parse(JSON.stringify(body)));
  await insertCommand(workspaceId, { ...by, id, kind: body.kind, body: webVault().sealCommand(workspaceId, id, plain) });
};

/** The runner's answer to a command that was sent. @returns null when it gives none in time */
export const awaitOutcome = async (workspaceId: string, runId: string, id: string): Promise<CommandOutcome | null> => {
  const wakeups = runBus().follow(runId);
  try {
    const untilMs = systemClock.now() + ANSWER_MS;
    while (systemClock.now() < untilMs) {
      await wakeups.next(LOOK_AGAIN_MS);
      const outcome = await commandOutcome(workspaceId, id);
      if (outcome) return outcome;
    }
  } finally {
    wakeups.close();
  }

  return null;
};

/**
 * Submits a command and waits for its record.
 * @returns the seq of the record that it became
 * @throws AppError refused with the refusal's code, or runner_silent
 */
export const submitCommand = async (submission: Submission): Promise<{ seq: number }> => {
  const id = systemClock.id();
  await sendCommand(id, submission);
  const outcome = await awaitOutcome(submission.workspaceId, submission.runId, id);
  if (!outcome) throw new AppError("runner_silent");
  if (outcome.refusal) throw new AppError("refused", { refusal: outcome.refusal.code });

  return { seq: outcome.seq };
};
