import {
  compareWithHistory,
  HISTORY_DAYS,
  labelHistory,
  MOST_PAST_CALLS,
  type HistoryQuestion,
  type KnownHistory,
} from "@/lib/engine/approvals/history";
import { labelSchema } from "@/lib/graph/label";
import { isJsonObject, ownMember } from "@/lib/json";
import type { Vault } from "@/server/security/vault";
import { loadPastCalls } from "@/server/store/approvals/history";

const DAY_MS = 86_400_000;

/** Compares the call of an opened gate with approved ones. Skips cells that cannot be opened: shredded or changed. */
export const findHistory = async (vault: Vault, { gate, args, label }: HistoryQuestion): Promise<KnownHistory | undefined> => {
  const { effect, workspace, run } = gate.transition;
  if (effect === null) return undefined;
  const cells = await loadPastCalls({
    workspaceId: workspace,
    runId: run,
    server: effect.server,
    tool: effect.tool,
    sinceMs: gate.opened_at - HISTORY_DAYS * DAY_MS,
    limit: MOST_PAST_CALLS,
  });
  const past = cells.flatMap(({ runId: from, sealed, wrappedKey, label: text, ...place }) => {
    const opened = vault.openCell({ workspace, run: from, ...place, label: text }, { sealed, wrappedKey });
    const sent = typeof opened === "string" ? undefined : ownMember(opened.value, "arguments");

    return isJsonObject(sent) ? [{ args: sent, label: labelSchema.parse(JSON.parse(text)) }] : [];
  });

  return { argumentsDigest: effect.arguments_digest, history: compareWithHistory(args, past), label: labelHistory(label, past) };
};
