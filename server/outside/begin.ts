import type { CommandBody } from "@/lib/engine/proposal";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { systemClock } from "@/server/clock";
import { addSessionRun, findAgentSession, type AgentSession, type SessionRun, type SessionRunCause } from "@/server/store/agents/sessions";
import { listModels } from "@/server/store/health";
import { runStanding } from "@/server/store/runs/runs";
import type { Caller } from "./caller";
import { ask, awaitRest, type Patience } from "./command";
import { deriveId } from "@/server/derived-id";
import { getCurrentRun } from "./session";
import { findRunObjection } from "./token-limits";

export type NotBegun = RefusalCode | "runner_silent";

const modelForAgents = async (): Promise<string> => {
  const models = await listModels();

  return (models.find(({ scripted }) => !scripted) ?? models[0])?.id ?? "default";
};

const startBody = async ({ graph }: Caller): Promise<CommandBody> => {
  const { description, name } = graph.published.graph;

  return {
    kind: "start",
    graph_hash: graph.version,
    goal: description || name,
    constraints: [],
    inputs: {},
    model: await modelForAgents(),
  };
};

/** Concurrent requests start one run. */
const start = async (
  caller: Caller,
  session: AgentSession,
  ordinal: number,
  cause: SessionRunCause,
  patience: Patience,
): Promise<Result<string, NotBegun>> => {
  const objection = await findRunObjection(caller);
  if (objection) return err(objection);
  const wanted: SessionRun = { ordinal, runId: systemClock.id(), cause, at: systemClock.now() };
  const runId = await addSessionRun(caller.workspaceId, session.id, wanted);
  const id = deriveId({ session: session.id, ordinal });
  const asked = await ask(caller, session.id, runId, await startBody(caller), id);
  if (!asked) return err("runner_silent");
  if (asked.outcome.refusal) return err(asked.outcome.refusal.code);
  await awaitRest(caller, runId, asked.outcome.seq, patience);

  return ok(runId);
};

/** Returns the session's run, starting it if necessary. */
export const ensureRun = async (caller: Caller, session: AgentSession, patience: Patience): Promise<Result<string, NotBegun>> => {
  const newest = getCurrentRun(session);
  if (newest && (await runStanding(caller.workspaceId, newest.runId))) return ok(newest.runId);
  // A missing start was refused, or is in progress.
  const begun = await start(caller, session, newest?.ordinal ?? 0, newest?.cause ?? "start", patience);
  if (begun.ok || !newest) return begun;

  return start(caller, session, newest.ordinal + 1, newest.cause, patience);
};

/** Replaces the newest run, cancelling it if necessary. */
export const restart = async (caller: Caller, session: AgentSession, patience: Patience): Promise<Result<string, NotBegun>> => {
  const newest = getCurrentRun(session);
  // A refused reset leaves the session unchanged.
  const objection = await findRunObjection(caller);
  if (objection) return err(objection);
  if (newest) await ask(caller, session.id, newest.runId, { kind: "cancel" }, systemClock.id());

  return start(caller, session, (newest?.ordinal ?? -1) + 1, newest ? "reset" : "start", patience);
};

/** Moves the session to an accepted fork. */
export const moveTo = async (caller: Caller, session: AgentSession, runId: string): Promise<boolean> => {
  const now = (await findAgentSession(caller.workspaceId, session.id)) ?? session;
  const ordinal = (getCurrentRun(now)?.ordinal ?? -1) + 1;

  return (await addSessionRun(caller.workspaceId, session.id, { ordinal, runId, cause: "fork", at: systemClock.now() })) === runId;
};
