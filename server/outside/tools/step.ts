import { listActionNodes } from "@/lib/graph/actions";
import { isJsonObject, ownMember, type JsonObject } from "@/lib/json";
import { parseJsonText } from "@/lib/json-text";
import type { CommandBody } from "@/lib/engine/proposal";
import { refuse } from "@/lib/refusal";
import { failed, toRefused, stateOf, succeeded, type Standing } from "@/server/outside/answer";
import { requestArguments, stepArguments } from "@/server/outside/arguments";
import { ensureRun } from "@/server/outside/begin";
import { ask, awaitRest, isRecordOf, type Asked, type Patience } from "@/server/outside/command";
import { deriveId } from "@/server/derived-id";
import { openAtRest, openRun, settleAfter, type Opened } from "@/server/outside/open-run";
import { allows, deny, toSession } from "@/server/outside/place";
import { findAgentSession, type AgentSession } from "@/server/store/agents/sessions";
import { mintSession } from "@/server/outside/session";
import { buildArgumentsSchema, CHANGES, type Answer, type Call, type OutsideTool } from "@/server/outside/tool";
import { systemClock } from "@/server/clock";
import { malformed, noSessionLeft, unknownSession } from "./refusals";

const GRACE_MS = 15_000;

const patienceFor = ({ caller, signal, onProgress }: Call, action: string): Patience => {
  const node = caller.graph.published.graph.nodes.find(({ id }) => id === action);

  return { untilMs: systemClock.now() + (node?.failure_policy.timeout_ms ?? 0) + GRACE_MS, signal, onProgress };
};

type Wanted = {
  readonly tool: "step" | "request_approval";
  readonly action: string;
  readonly handle: string | null | undefined;
  readonly key: string | null | undefined;
  readonly body: Extract<CommandBody, { kind: "step" | "request_approval" }>;
};

const recordsAfter = ({ entries }: Opened, seq: number) => entries.flatMap(({ signed: { record } }) => (record.seq > seq ? [record] : []));

const resultOf = (opened: Opened, seq: number, state: JsonObject): JsonObject => {
  const paths = recordsAfter(opened, seq).flatMap(({ writes }) => writes.map(({ path }) => path));
  const keys = new Set(paths.map((path) => path.split(".")[0] ?? ""));

  return Object.fromEntries(Object.entries(state).filter(([key]) => keys.has(key)));
};

/** The run returned to its place because the action failed. */
const isFailure = (opened: Opened, seq: number): boolean => {
  const { status } = opened.state;
  const cause = recordsAfter(opened, seq)
    .flatMap(({ control }) => control)
    .findLast((event) => event.type === "action_awaited")?.cause;

  return cause === "failed" || (cause === undefined && (status === "failed" || status === "timeout" || status === "budget_exceeded"));
};

const failureOf = (call: Call, standing: Standing, { state }: Opened, action: string): Answer => {
  const node = call.caller.graph.published.graph.nodes.find(({ id }) => id === action);
  const isLate = state.lastError?.code === "node_timeout" || state.status === "timeout";

  return isLate
    ? failed(standing, {
        error: "action_timeout",
        requested: action,
        fields: { timeout_seconds: (node?.failure_policy.timeout_ms ?? 0) / 1_000 },
      })
    : failed(standing, { error: "action_error", requested: action, fields: { error_type: state.lastError?.code ?? "failed" } });
};

const INPUT_LIMITS = { maxBytes: 1_048_576, maxDepth: 64 };

/** Positions: names are the caller's text, which no answer repeats. */
const listUndeclared = ({ caller }: Call, { action, body }: Pick<Wanted, "action" | "body">): number[] => {
  const node = caller.graph.published.graph.nodes.find(({ id }) => id === action);
  const given = typeof body.inputs === "string" ? (parseJsonText(body.inputs, INPUT_LIMITS) ?? null) : body.inputs;
  if (!isJsonObject(given)) return [];

  return Object.keys(given).flatMap((name, index) => (node?.action?.inputs.some((input) => input.name === name) ? [] : [index]));
};

const answered = async (call: Call, session: AgentSession, wanted: Wanted, asked: Asked): Promise<Answer> => {
  const { caller } = call;
  const { action, tool } = wanted;
  const { outcome, runId } = asked;
  const refusal = outcome.refusal;
  // Token or session ended during the call.
  if (refusal?.code === "not_found") return unknownSession(caller);
  if (refusal) {
    const opened = await openRun(caller, runId, outcome.seq < 0 ? Infinity : outcome.seq);

    const undeclared = refusal.code === "validation_failed" ? listUndeclared(call, wanted) : [];

    return toRefused({ caller, session, opened }, { error: refusal.code, requested: action, refusal, undeclared });
  }
  const isAtRest = await awaitRest(caller, runId, outcome.seq, patienceFor(call, action));
  const opened = await openAtRest(caller, runId, outcome.seq);
  const standing = { caller, session, opened };
  if (!isAtRest && settleAfter(opened, outcome.seq) === null)
    return toRefused(standing, { error: "approval_pending", requested: action, refusal: refuse("approval_pending") });
  if (isFailure(opened, outcome.seq)) return failureOf(call, standing, opened, action);
  const state = stateOf(standing);

  return succeeded(standing, tool === "step" ? action : tool, { requested: action, result: resultOf(opened, outcome.seq, state), state });
};

const act = async (call: Call, wanted: Wanted): Promise<Answer> => {
  const { caller } = call;
  const named = await toSession(caller, wanted.handle);
  if (named === undefined) return unknownSession(caller);
  if (!allows(caller, wanted.tool === "step" ? "run.drive" : "approval.request")) {
    await deny(caller, named, "run");

    return toRefused({ caller, session: named, opened: null }, { error: "scope_missing", requested: wanted.action });
  }
  const session = named ?? (await mintSession(caller));
  if (!session) return noSessionLeft(caller);
  const begun = await ensureRun(caller, session, patienceFor(call, wanted.action));
  if (!begun.ok) return toRefused({ caller, session, opened: null }, { error: begun.error, requested: wanted.action });
  const id = wanted.key ? deriveId({ session: session.id, key: wanted.key }) : systemClock.id();
  const asked = await ask(caller, session.id, begun.value, wanted.body, id);
  const now = (await findAgentSession(caller.workspaceId, session.id)) ?? session;
  if (!asked)
    return failed(
      { caller, session: now, opened: await openRun(caller, begun.value) },
      { error: "runner_silent", requested: wanted.action },
    );
  if (wanted.key && !(await isRecordOf(caller, asked, wanted.body))) {
    await deny(caller, now, "request");
    const opened = await openRun(caller, begun.value);

    return toRefused({ caller, session: now, opened }, { error: "idempotency_conflict", requested: wanted.action });
  }

  return answered(call, now, wanted, asked);
};

/** Small models follow an enum. */
const withActions = (schema: JsonObject, actions: readonly string[]): JsonObject => {
  const properties = ownMember(schema, "properties");
  const action = ownMember(properties, "action");

  return {
    ...schema,
    properties: { ...(properties as JsonObject), action: { ...(action as JsonObject), enum: [...actions] } },
  };
};

export const STEP: OutsideTool = {
  name: "step",
  title: "Take an action",
  description:
    "Takes one action of the graph. Name one of valid_next_actions and pass its inputs as described in next_action_schemas. Every answer lists the legal next actions; the list is empty while the run waits (see waiting_for) and after its end.",
  annotations: CHANGES,
  scope: "run.drive",
  inputSchema: ({ graph }) =>
    withActions(
      buildArgumentsSchema(stepArguments),
      listActionNodes(graph.published.graph).map(({ id }) => id),
    ),
  run: async (call, args) => {
    const parsed = stepArguments.safeParse(args);
    if (!parsed.success) return malformed(call.caller);
    const { action, inputs = null, session, expected_seq: expected, idempotency_key: key } = parsed.data;
    const body = { kind: "step", action, inputs, ...(typeof expected === "number" ? { expected_seq: expected } : {}) } as const;

    return act(call, { tool: "step", action, handle: session, key, body });
  },
};

export const REQUEST_APPROVAL: OutsideTool = {
  name: "request_approval",
  title: "Ask a person",
  description:
    "Asks that a person allows exactly this action with exactly these inputs. Nothing is done before; once it is allowed, the action is taken. Ask for the state to learn of it.",
  annotations: CHANGES,
  scope: "approval.request",
  inputSchema: ({ graph }) =>
    withActions(
      buildArgumentsSchema(requestArguments),
      listActionNodes(graph.published.graph).map(({ id }) => id),
    ),
  run: async (call, args) => {
    const parsed = requestArguments.safeParse(args);
    if (!parsed.success) return malformed(call.caller);
    const { action, inputs = null, session, reason, idempotency_key: key } = parsed.data;
    const body = { kind: "request_approval", action, inputs, ...(reason ? { reason } : {}) } as const;

    return act(call, { tool: "request_approval", action, handle: session, key, body });
  },
};
