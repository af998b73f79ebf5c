import { isTerminal } from "@/lib/engine/event";
import type { CommandBody } from "@/lib/engine/proposal";
import { recordSchema } from "@/lib/engine/ledger/record";
import { digestOf } from "@/lib/hash";
import { systemClock } from "@/server/clock";
import { runBus } from "@/server/live/run-bus";
import type { CommandOutcome } from "@/server/store/runs/commands";
import { getLedgerPage } from "@/server/store/ledger/page";
import { runStanding } from "@/server/store/runs/runs";
import { toPlainBody } from "@/server/store/runs/command-envelope";
import { awaitOutcome, sendOnce } from "@/server/web/submit-command";
import type { Caller } from "./caller";
import type { OnProgress } from "./tool";

export type Asked = {
  readonly outcome: CommandOutcome;
  readonly runId: string;
};

/** Submits a command; null when no runner answers in time. @param id idempotency key */
export const ask = async (caller: Caller, sessionId: string, runId: string, body: CommandBody, id: string): Promise<Asked | null> => {
  const { workspaceId, token, signer } = caller;
  const author = { type: "agent", token: token.id, session: sessionId, signer } as const;
  const first = await sendOnce(id, { workspaceId, author, runId, body });
  const outcome = await awaitOutcome(workspaceId, first.runId, id);

  return outcome && { outcome, runId: first.runId };
};

export const isRecordOf = async (caller: Caller, { outcome, runId }: Asked, body: CommandBody): Promise<boolean> => {
  if (outcome.seq < 0) return true;
  const page = await getLedgerPage(caller.workspaceId, runId, outcome.seq - 1, 1);
  const stored = page?.records[0];
  if (!stored) return false;

  return recordSchema.parse(JSON.parse(stored.body)).proposal_digest === digestOf("proposal", toPlainBody(body));
};

/** Polls for lost announcements. */
const LOOK_AGAIN_MS = 500;

export type Patience = {
  readonly untilMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
};

/** Waits until a run rests, waits for a person or ends. @returns false on timeout */
export const awaitRest = async (
  caller: Pick<Caller, "workspaceId">,
  runId: string,
  afterSeq: number,
  patience: Patience,
): Promise<boolean> => {
  const wakeups = runBus().follow(runId);
  try {
    while (systemClock.now() < patience.untilMs && !patience.signal.aborted) {
      await wakeups.next(LOOK_AGAIN_MS, patience.signal);
      const standing = await runStanding(caller.workspaceId, runId);
      if (!standing || standing.frozen !== null) return true;
      if (standing.version > afterSeq && (standing.status === "waiting" || isTerminal(standing.status))) return true;
      await patience.onProgress(standing.version, runId);
    }
  } finally {
    wakeups.close();
  }

  return false;
};
