/** `reset_session`, `fork_at` and `fork_from_past`. */
import { uuidSchema } from "@/lib/ids";
import type { CommandBody } from "@/lib/engine/proposal";
import { forkPoint, buildHistory } from "@/lib/outside/history";
import { systemClock } from "@/server/clock";
import { toRefused, stateOf, succeeded, type OutsideError, type Standing } from "@/server/outside/answer";
import { forkArguments, pastForkArguments, sessionArguments } from "@/server/outside/arguments";
import { moveTo, restart } from "@/server/outside/begin";
import { ask, type Patience } from "@/server/outside/command";
import { openRun, type Opened } from "@/server/outside/open-run";
import { allows, deny, runOf, toSession } from "@/server/outside/place";
import { buildArgumentsSchema, CHANGES, type Answer, type Call, type OutsideTool } from "@/server/outside/tool";
import { findAgentSession, findSessionOfRun, type AgentSession } from "@/server/store/agents/sessions";
import { mintSession } from "@/server/outside/session";
import type { Caller } from "@/server/outside/caller";
import { malformed, noSessionLeft, unknownSession } from "./refusals";

const GRACE_MS = 15_000;

const patience = ({ signal, onProgress }: Call): Patience => ({ untilMs: systemClock.now() + GRACE_MS, signal, onProgress });

const standingOf = async (caller: Caller, sessionId: string): Promise<Standing> => {
  const session = await findAgentSession(caller.workspaceId, sessionId);

  return { caller, session, opened: await runOf(caller, session) };
};

const denied = async (caller: Caller, session: AgentSession | null, error: OutsideError): Promise<Answer> => {
  await deny(caller, session, "run");

  return toRefused({ caller, session, opened: await runOf(caller, session) }, { error, requested: null });
};

export const RESET_SESSION: OutsideTool = {
  name: "reset_session",
  title: "Begin again",
  description: "Cancels the session's run if it is not over, and begins another one at the entry of the graph. The history keeps both.",
  annotations: { ...CHANGES, idempotentHint: true },
  scope: "run.drive",
  inputSchema: () => buildArgumentsSchema(sessionArguments),
  run: async (call, args) => {
    const { caller } = call;
    const parsed = sessionArguments.safeParse(args);
    if (!parsed.success) return malformed(caller);
    const named = await toSession(caller, parsed.data.session);
    if (named === undefined) return unknownSession(caller);
    if (!allows(caller, "run.drive")) return denied(caller, named, "scope_missing");
    if (named === null) return denied(caller, named, "no_session");
    const previous = await runOf(caller, named);
    const begun = await restart(caller, named, patience(call));
    const standing = await standingOf(caller, named.id);
    if (!begun.ok) return toRefused(standing, { error: begun.error, requested: null });
    const result = { previous_state: stateOf({ ...standing, opened: previous }), previous_app_id: previous?.runId ?? null };

    return succeeded(standing, "reset_session", { result, state: stateOf(standing) });
  },
};

type Point = { readonly parentSeq: number; readonly sequenceId: number; readonly fromAction: string | null };

const MOST_ENTRIES = 500;

/** @param sequenceId -1: the latest possible */
const pointOf = ({ published, entries, sealed }: Opened, sequenceId: number): Point | OutsideError => {
  const { entries: known } = buildHistory(published, entries, { limit: MOST_ENTRIES, sealed });
  const entry = sequenceId === -1 ? known.findLast(({ forkable }) => forkable) : known.find(({ seq }) => seq === sequenceId);
  const point = forkPoint(published, entries, entry?.seq ?? sequenceId);

  return point.ok ? { parentSeq: point.value, sequenceId: entry?.seq ?? sequenceId, fromAction: entry?.action ?? null } : point.error;
};

type Wanted = {
  readonly tool: "fork_at" | "fork_from_past";
  readonly effects: "simulate" | "live";
  readonly loaded: Opened;
  readonly point: Point;
};

const fork = async (call: Call, session: AgentSession, { tool, effects, loaded, point }: Wanted): Promise<Answer> => {
  const { caller } = call;
  const run = systemClock.id();
  const body: CommandBody = {
    kind: "fork",
    run,
    parent_run: loaded.runId,
    parent_seq: point.parentSeq,
    change: { type: "none" },
    effects,
  };
  // The parent's session may request the fork.
  const parent = (await findSessionOfRun(caller.workspaceId, loaded.runId)) ?? session;
  const asked = await ask(caller, parent.id, loaded.runId, body, systemClock.id());
  if (!asked || asked.outcome.refusal) {
    return toRefused(await standingOf(caller, session.id), { error: asked?.outcome.refusal?.code ?? "runner_silent", requested: null });
  }
  await moveTo(caller, session, run);
  const standing = await standingOf(caller, session.id);
  const result =
    tool === "fork_at"
      ? { sequence_id: point.sequenceId, from_action: point.fromAction }
      : { loaded_app_id: loaded.runId, loaded_sequence_id: point.sequenceId, from_action: point.fromAction };

  return succeeded(standing, tool, { result, effects, state: stateOf(standing) });
};

const scopeFor = (effects: "simulate" | "live") => (effects === "live" ? "run.fork_live" : "run.fork");

export const FORK_AT: OutsideTool = {
  name: "fork_at",
  title: "Go back",
  description:
    "Goes back to the state after a history entry, in a new run that this session drives from then on. Unless effects is live, it is a simulation and calls no tool.",
  annotations: CHANGES,
  scope: "run.fork",
  inputSchema: () => buildArgumentsSchema(forkArguments),
  run: async (call, args) => {
    const { caller } = call;
    const parsed = forkArguments.safeParse(args);
    if (!parsed.success) return malformed(caller);
    const { effects, session: handle, sequence_id: named, seq } = parsed.data;
    const session = await toSession(caller, handle);
    if (session === undefined) return unknownSession(caller);
    const loaded = await runOf(caller, session);
    if (!session || !loaded) return denied(caller, session, "no_session");
    if (!allows(caller, scopeFor(effects))) return denied(caller, session, "scope_missing");
    const sequenceId = named ?? seq;
    if (typeof sequenceId !== "number") return denied(caller, session, "missing_sequence_id");
    const point = pointOf(loaded, sequenceId);
    if (typeof point === "string") return denied(caller, session, point);

    return fork(call, session, { tool: "fork_at", effects, loaded, point });
  },
};

const pastRun = async (caller: Caller, appId: string, partition: string): Promise<Opened | null> => {
  if (partition !== "" && partition !== caller.workspaceId) return null;
  const id = uuidSchema.safeParse(appId).data;
  const session = id === undefined ? null : await findSessionOfRun(caller.workspaceId, id);
  const isOurs = session?.tokenId === caller.token.id && session.graphId === caller.graph.graphId;
  if (id === undefined || !isOurs) return null;

  return openRun(caller, id).catch(() => null);
};

export const FORK_FROM_PAST: OutsideTool = {
  name: "fork_from_past",
  title: "Go on from an earlier run",
  description: "As fork_at, from any run that this token drove in this graph, named by its app_id.",
  annotations: { ...CHANGES, openWorldHint: true },
  scope: "run.fork",
  inputSchema: () => buildArgumentsSchema(pastForkArguments),
  run: async (call, args) => {
    const { caller } = call;
    const parsed = pastForkArguments.safeParse(args);
    if (!parsed.success) return malformed(caller);
    const { app_id: appId, sequence_id: sequenceId, partition_key: partition, session: handle, effects } = parsed.data;
    const named = await toSession(caller, handle);
    if (named === undefined) return unknownSession(caller);
    if (!allows(caller, scopeFor(effects))) return denied(caller, named, "scope_missing");
    const loaded = await pastRun(caller, appId, partition);
    if (!loaded) return denied(caller, named, "not_found");
    const point = pointOf(loaded, sequenceId);
    if (typeof point === "string") return denied(caller, named, point);

    const session = named ?? (await mintSession(caller));

    return session ? fork(call, session, { tool: "fork_from_past", effects, loaded, point }) : noSessionLeft(caller);
  },
};
