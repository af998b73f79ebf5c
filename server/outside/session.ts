import { uuidSchema } from "@/lib/ids";
import { getEnd } from "@/lib/outside/oauth-grant";
import { systemClock } from "@/server/clock";
import {
  findAgentSession,
  insertAgentSession,
  touchAgentSession,
  type AgentSession,
  type SessionRun,
} from "@/server/store/agents/sessions";
import type { Caller } from "./caller";
import { recordDenied } from "./denied";
import { getLimits } from "./token-limits";

const IDLE_MS = 24 * 3_600_000;

const expiryOf = ({ token }: Caller, at: number): number => Math.min(getEnd(token), at + IDLE_MS);

export const mintSession = async (caller: Caller): Promise<AgentSession | null> => {
  const at = systemClock.now();
  const session = {
    id: systemClock.id(),
    tokenId: caller.token.id,
    graphId: caller.graph.graphId,
    createdAt: at,
    expiresAt: expiryOf(caller, at),
  };
  const isOpened = await insertAgentSession(caller.workspaceId, session, getLimits(caller.token).sessions);

  return isOpened ? { ...session, lastUsedAt: at, revokedAt: null, runs: [] } : null;
};

const isOf = (session: AgentSession, { token, graph }: Caller): boolean =>
  session.tokenId === token.id && session.graphId === graph.graphId && session.revokedAt === null && session.expiresAt > systemClock.now();

export const openSession = async (caller: Caller, handle: string): Promise<AgentSession | null> => {
  const id = uuidSchema.safeParse(handle).data ?? null;
  const session = id === null ? null : await findAgentSession(caller.workspaceId, id);
  if (!session || !isOf(session, caller)) {
    await recordDenied({ workspaceId: caller.workspaceId, tokenId: caller.token.id, sessionId: id, signer: caller.signer }, "session");

    return null;
  }
  const at = systemClock.now();
  await touchAgentSession(caller.workspaceId, session.id, at, expiryOf(caller, at));

  return session;
};

export const getCurrentRun = (session: AgentSession): SessionRun | null => session.runs.at(-1) ?? null;
