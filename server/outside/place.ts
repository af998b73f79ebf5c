import type { AgentScope } from "@/lib/engine/principal";
import { systemClock } from "@/server/clock";
import type { AgentSession } from "@/server/store/agents/sessions";
import { runStanding } from "@/server/store/runs/runs";
import { sendCommand } from "@/server/web/submit-command";
import type { Caller } from "./caller";
import { recordDenied, type DeniedRead } from "./denied";
import { openRun, type Opened } from "./open-run";
import { getCurrentRun, openSession } from "./session";

/** Resolves the session; null: none named; undefined: not the caller's. */
export const toSession = async (caller: Caller, handle: string | null | undefined): Promise<AgentSession | null | undefined> => {
  const named = handle || caller.transportSession;

  return named === null ? null : ((await openSession(caller, named)) ?? undefined);
};

/** Opens the session's run; null before its first step. */
export const runOf = async (caller: Caller, session: AgentSession | null): Promise<Opened | null> => {
  const run = session && getCurrentRun(session);
  if (!run || !(await runStanding(caller.workspaceId, run.runId))) return null;

  return openRun(caller, run.runId);
};

/** Records a denial in the run's ledger, else the workspace's. */
export const deny = async (caller: Caller, session: AgentSession | null, what: DeniedRead): Promise<void> => {
  const { workspaceId, token, signer } = caller;
  const by = { workspaceId, tokenId: token.id, sessionId: session?.id ?? null, signer };
  const run = session && getCurrentRun(session);
  if (!run || !(await runStanding(workspaceId, run.runId))) return recordDenied(by, what);
  const author = { type: "agent", token: by.tokenId, session: by.sessionId, signer } as const;
  await sendCommand(systemClock.id(), { workspaceId, author, runId: run.runId, body: { kind: "read", what } });
};

export const allows = ({ token }: Caller, scope: AgentScope): boolean => token.scopes.includes(scope);
