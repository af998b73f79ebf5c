/** Latest progress, written at most once a second. */
import { getProgressPlace, type CallProgress } from "@/lib/mcp/progress";
import type { Vault } from "@/server/security/vault";
import { endCallProgress, putCallProgress } from "@/server/store/mcp/call-progress";
import { coalesce } from "./coalesce";

const EVERY_MS = 1_000;

type Call = { readonly workspace: string; readonly effectId: string; readonly server: string; readonly tool: string };
type Noted = { readonly call: Call; readonly progress: CallProgress | null };

export type ProgressKeeper = {
  readonly note: (call: Call, progress: CallProgress) => void;
  readonly end: (call: Call) => void;
  readonly close: () => Promise<void>;
};

/** Keeps nothing without a vault. */
export const createProgressKeeper = (vault: Vault | null): ProgressKeeper => {
  /** `null`: delete. */
  const newest = new Map<string, Noted>();
  const noted = new Set<string>();
  const write = async ({ call: { workspace, effectId, server, tool }, progress }: Noted): Promise<void> => {
    if (!vault) return;
    if (!progress) return endCallProgress(workspace, effectId);
    const sealed = vault.sealCommand(workspace, getProgressPlace(effectId), { server, tool, ...progress });
    await putCallProgress({ workspaceId: workspace, effectId, sealed });
  };
  const coalesced = coalesce(
    async () => {
      const taken = [...newest.values()];
      newest.clear();
      for (const one of taken) await write(one);
    },
    EVERY_MS,
    "the progress of calls is not written for a moment",
  );
  const put = (call: Call, progress: CallProgress | null): void => {
    const { workspace, effectId, server, tool } = call;
    newest.set(effectId, { call: { workspace, effectId, server, tool }, progress });
    coalesced.mark();
  };

  return {
    note: (call, progress) => {
      noted.add(call.effectId);
      put(call, progress);
    },
    end: (call) => {
      if (noted.delete(call.effectId)) put(call, null);
    },
    close: coalesced.close,
  };
};
