/** A person's proposal on its way: stored sealed, answered by the runner, never decided here. */
import { AppError } from "@/lib/errors";
import { jsonSchema } from "@/lib/json";
import type { CommandBody } from "@/lib/engine/proposal";
import { systemClock } from "@/server/clock";
import { runBus } from "@/server/live/run-bus";
import { commandOutcome, insertCommand } from "@/server/store/commands";
import { webVault } from "./web-vault";

/** How long a person waits for the runner's answer before the screen says that nobody answers. */
const ANSWER_MS = 15_000;
/** The answer is announced with its record; this finds it when the announcement is lost. */
const LOOK_AGAIN_MS = 250;

export type Submission = { readonly workspaceId: string; readonly userId: string; readonly runId: string; readonly body: CommandBody };

/** Stores a command for the runner. */
export const sendCommand = async (id: string, { workspaceId, userId, runId, body }: Submission): Promise<void> => {
  // Without members that are only undefined, as canonical JSON has none.
  const plain = jsonSchema.parse(JSON.parse(JSON.stringify(body)));
  await insertCommand(workspaceId, { id, runId, userId, kind: body.kind, body: webVault().sealCommand(workspaceId, id, plain) });
};

/**
 * Submits a command and waits for its record.
 * @returns the seq of the record that it became
 * @throws AppError refused with the refusal's code, or runner_silent
 */
export const submitCommand = async (submission: Submission): Promise<{ seq: number }> => {
  const id = systemClock.id();
  const wakeups = runBus().follow(submission.runId);
  try {
    await sendCommand(id, submission);
    const untilMs = systemClock.now() + ANSWER_MS;
    while (systemClock.now() < untilMs) {
      await wakeups.next(LOOK_AGAIN_MS);
      const outcome = await commandOutcome(submission.workspaceId, id);
      if (outcome?.refusal) throw new AppError("refused", { refusal: outcome.refusal.code });
      if (outcome) return { seq: outcome.seq };
    }
  } finally {
    wakeups.close();
  }
  throw new AppError("runner_silent");
};
