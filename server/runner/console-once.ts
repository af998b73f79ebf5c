import { randomUUID } from "node:crypto";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import type { RunnerDeps } from "@/server/runner/deps";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";

/** Requests are valid for ten minutes. */
const REMEMBERED_MS = 3_600_000;

/** Spends a console call; false if already spent. */
export const createConsoleOnce =
  ({ journal, clock }: Pick<RunnerDeps, "journal" | "clock">) =>
  async (workspaceId: string, callId: string): Promise<boolean> => {
    const digest = digestOf("settings", callId);
    const isFirst = await journal.spend({
      nonce: callId,
      run: getWorkspaceLedgerId(workspaceId),
      effect: callId,
      transition_digest: digest,
      arguments_digest: digest,
      // Unique, so that attempts never coincide.
      idempotency_key: randomUUID(),
      expires_at: clock.now() + REMEMBERED_MS,
    });
    if (!isFirst) {
      countRollback("receipt");
      log().error({ workspace: workspaceId, call: callId }, "a call that was tried out before was not made again");
    }

    return isFirst;
  };
