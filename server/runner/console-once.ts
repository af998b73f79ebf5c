/** Calls that are tried out are made once, whatever the database says of them later. */
import { randomUUID } from "node:crypto";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import type { RunnerDeps } from "@/server/runner/deps";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";

/** What was asked counts for ten minutes, so nothing older needs to be remembered. */
const REMEMBERED_MS = 3_600_000;

/** Creates what spends a call in the journal, as a receipt is spent. It returns false for one that was taken up before. */
export const consoleOnce =
  ({ journal, clock }: Pick<RunnerDeps, "journal" | "clock">) =>
  async (workspaceId: string, callId: string): Promise<boolean> => {
    const digest = digestOf("settings", callId);
    const isFirst = await journal.spend({
      nonce: callId,
      run: workspaceLedgerId(workspaceId),
      effect: callId,
      transition_digest: digest,
      arguments_digest: digest,
      // Another one each time: no second attempt is the same.
      idempotency_key: randomUUID(),
      expires_at: clock.now() + REMEMBERED_MS,
    });
    if (!isFirst) {
      countRollback("receipt");
      log().error({ workspace: workspaceId, call: callId }, "a call that was tried out before was not made again");
    }

    return isFirst;
  };
