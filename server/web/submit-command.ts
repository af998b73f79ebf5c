/** A proposal of a person or an outside agent on its way: stored sealed, answered by the runner, never decided here. */
import { AppError } from "@/lib/errors";
import { jsonSchema, type Json } from "@/lib/json";
import type { CheckpointCommand } from "@/lib/engine/checkpoint";
import type { AttestCommand } from "@/lib/engine/head-statement";
import type { PasskeyCommand } from "@/lib/engine/passkey-ledger";
import type { CommandBody } from "@/lib/engine/proposal";
import type { ShredCommand } from "@/lib/engine/shred";
import type { ModelsCommand } from "@/lib/model-change";
import type { PeopleCommand } from "@/lib/people/command";
import type { AlarmCommand } from "@/lib/trust-alarm";
import { systemClock } from "@/server/clock";
import { runBus } from "@/server/live/run-bus";
import { waitForCommand } from "@/server/metrics";
import { commandOutcome, insertCommand, insertCommandOnce, type CommandAuthor, type CommandOutcome } from "@/server/store/commands";
import { webVault } from "./web-vault";

/** How long somebody waits for the runner's answer before it counts as silent. */
const ANSWER_MS = 15_000;
/** The answer is announced with its record; this finds it when the announcement is lost. */
const LOOK_AGAIN_MS = 250;

/** What a workspace itself is asked for. */
type WorkspaceCommand = ShredCommand | AttestCommand | CheckpointCommand | PasskeyCommand | ModelsCommand | PeopleCommand | AlarmCommand;

export type Submission = CommandAuthor & {
  readonly workspaceId: string;
  readonly runId: string;
  readonly body: CommandBody | WorkspaceCommand;
};

/** Without members that are only undefined, as canonical JSON has none. */
export const plainBody = (body: CommandBody | WorkspaceCommand): Json => jsonSchema.parse(JSON.parse(JSON.stringify(body)));

const sealed = (id: string, { workspaceId, body, ...by }: Submission) => ({
  ...by,
  id,
  kind: body.kind,
  body: webVault().sealCommand(workspaceId, id, plainBody(body)),
});

/** Stores a command for the runner. */
export const sendCommand = (id: string, submission: Submission): Promise<void> =>
  insertCommand(submission.workspaceId, sealed(id, submission));

/** Stores a command whose id says what it is, once. @returns the run that the first one with this id is about */
export const sendOnce = (id: string, submission: Submission): Promise<{ readonly runId: string }> =>
  insertCommandOnce(submission.workspaceId, sealed(id, submission));

/** The runner's answer to a command that was sent. @returns null when it gives none in time */
export const awaitOutcome = async (workspaceId: string, runId: string, id: string): Promise<CommandOutcome | null> => {
  const wakeups = runBus().follow(runId);
  const answered = waitForCommand();
  try {
    const untilMs = systemClock.now() + ANSWER_MS;
    while (systemClock.now() < untilMs) {
      await wakeups.next(LOOK_AGAIN_MS);
      const outcome = await commandOutcome(workspaceId, id);
      if (outcome) return outcome;
    }
  } finally {
    answered();
    wakeups.close();
  }

  return null;
};

const recordOf = async ({ workspaceId, runId }: Submission, id: string): Promise<{ seq: number }> => {
  const outcome = await awaitOutcome(workspaceId, runId, id);
  if (!outcome) throw new AppError("runner_silent");
  if (outcome.refusal) throw new AppError("refused", { refusal: outcome.refusal.code });

  return { seq: outcome.seq };
};

/**
 * Submits a command and waits for its record.
 * @returns the seq of the record that it became
 * @throws AppError refused with the refusal's code, or runner_silent
 */
export const submitCommand = async (submission: Submission): Promise<{ seq: number }> => {
  const id = systemClock.id();
  await sendCommand(id, submission);

  return recordOf(submission, id);
};

/** Submits all of them before it waits for any. @throws AppError as `submitCommand`, for the first that was not accepted */
export const submitCommands = async (submissions: readonly Submission[]): Promise<void> => {
  const sent = submissions.map((submission) => ({ id: systemClock.id(), submission }));
  for (const { id, submission } of sent) await sendCommand(id, submission);
  for (const { id, submission } of sent) await recordOf(submission, id);
};
