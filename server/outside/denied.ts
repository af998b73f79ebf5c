import type { CommandBody } from "@/lib/engine/proposal";
import { systemClock } from "@/server/clock";
import type { AgentSigner } from "@/server/store/runs/command-envelope";
import { recordAttempt } from "@/server/web/refuse-attempt";

export type DeniedRead = Extract<CommandBody, { kind: "read" }>["what"];

type By = { readonly workspaceId: string; readonly tokenId: string; readonly sessionId: string | null; readonly signer: AgentSigner };

/** Records a denial. Does not tell callers when rate limiting drops it. */
export const recordDenied = async ({ workspaceId, tokenId, sessionId, signer }: By, what: DeniedRead): Promise<void> => {
  const author = { type: "agent", token: tokenId, session: sessionId, signer } as const;
  await recordAttempt({ workspaceId, author, runId: systemClock.id(), body: { kind: "read", what } });
};
