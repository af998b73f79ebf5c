import { createAutoResetEvent } from "@/server/auto-reset-event";
import { log } from "@/server/log";
import type { Turn } from "@/server/store/leader-lock";

const POLL_MS = 2_000;

type Work = {
  readonly open: (onWake: () => void, onLost: () => void) => Promise<Turn>;
  /** @param ring requests another look */
  readonly look: (ring: () => void) => Promise<void>;
  /** Awaited before releasing the lock. */
  readonly settle?: () => Promise<unknown>;
  readonly complaint: string;
};

/** Works under the leader lock: looks when woken and every two seconds. */
export const workInTurn = async ({ open, look, settle, complaint }: Work, signal: AbortSignal): Promise<void> => {
  const bell = createAutoResetEvent(signal);
  while (!signal.aborted) {
    const line = { lost: false };
    try {
      const turn = await open(bell.ring, () => {
        line.lost = true;
        bell.ring();
      });
      try {
        while (!signal.aborted && !line.lost) {
          if (await turn.take()) await look(bell.ring);
          await bell.wait(POLL_MS);
        }
      } finally {
        await settle?.();
        turn.close();
      }
    } catch (error) {
      log().warn({ error: error instanceof Error ? error.name : "unknown" }, complaint);
      await bell.wait(POLL_MS);
    }
  }
};
