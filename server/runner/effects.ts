/** External calls, outside any transaction, between a recorded intent and outcome. */
import type { PinnedTool } from "@/lib/graph/document";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { findAnsweredInput } from "@/lib/engine/approvals/pending-question";
import type { EffectClaim } from "@/lib/engine/authority";
import type { CallProof } from "@/lib/engine/outside/call-proof";
import { findPublishedIn } from "@/lib/engine/frame";
import { encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import type { BodyOf } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { findAside, isSimulated, getKnownValue, type Effect, type RunState } from "@/lib/engine/state";
import type { RunnerDeps } from "@/server/runner/deps";
import { storeAnswerFiles } from "@/server/artifacts/answer-files";
import { simulateAnswer, type SimulatedAnswer } from "@/server/runner/simulate";
import type { Session } from "@/server/runner/session";
import { Suspended, type ToolAnswer } from "@/server/executors/contract";
import { createPrivilegedCall, type PrivilegedAnswer } from "@/server/executors/privileged";
import { getRunEnvironment } from "@/lib/environments/environment";
import type { McpAnswer, McpCall, McpInputRequest } from "@/server/mcp/contract";
import { isTerminal } from "@/lib/engine/event";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";

const resultOf = (state: RunState, effect: Effect): Json => getKnownValue(findAside(state, `$result.${effect.effect_id}`).at(-1)) ?? null;

export const findRecordedAnswer = (state: RunState, effect: Effect): ToolAnswer => ({
  status: effect.outcome === "ok" ? "ok" : "tool_error",
  result: resultOf(state, effect),
});

const argumentsOf = (state: RunState, effect: Effect): JsonObject => {
  const value = getKnownValue(findAside(state, `$arguments.${effect.effect_id}`).at(-1));

  return isJsonObject(value) ? value : {};
};

const NOT_CALLED = {
  unavailable: { code: "server_unavailable", message: "The server is not active." },
  drifted: { code: "tool_drifted", message: "The tool is no longer the one that was reviewed." },
  not_allowed: { code: "caller_not_allowed", message: "The server does not serve this caller." },
  unauthorized: { code: "authority_not_proved", message: "The signed records did not verify right before the call." },
} as const;

type Answer = Exclude<PrivilegedAnswer | McpAnswer | SimulatedAnswer, { status: "input_required" }>;

const outcomeOf = (answer: Answer): { outcome: "ok" | "tool_error"; result: Json } => {
  switch (answer.status) {
    case "ok":
    case "tool_error":
      return { outcome: answer.status, result: answer.result };
    case "simulated":
      return { outcome: answer.outcome, result: answer.result };
    case "unauthorized":
      return { outcome: "tool_error", result: { ...NOT_CALLED.unauthorized, fault: answer.fault } };
    case "unavailable":
    case "drifted":
    case "not_allowed":
      return { outcome: "tool_error", result: { ...NOT_CALLED[answer.status] } };
    default:
      return answer satisfies never;
  }
};

const placeOf = ({ workspace, run, start }: RunState): Pick<McpCall, "workspace" | "run" | "environment"> => ({
  workspace,
  run,
  environment: getRunEnvironment(start),
});

/** Simulated runs need none. */
export const getAvailability = async (
  deps: RunnerDeps,
  state: RunState,
  pin: Pick<PinnedTool, "server" | "tool" | "definition_digest"> | undefined,
  caller: string,
): Promise<BodyOf<"effect_intent">["availability"]> => {
  if (!pin) return "unavailable";
  if (isSimulated(state)) return "ok";
  const { server, tool, definition_digest: definitionDigest } = pin;

  return deps.mcp.check({ ...placeOf(state), server, tool, caller, definitionDigest });
};

const proofOf = (
  records: readonly SignedRecord[],
  run: string,
  { effect_id: effectId, receipt }: EffectClaim,
): { readonly proof?: CallProof } => {
  const first = records.find(({ record }) => record.run === run);
  const intent = records.findLast(
    ({ record }) => record.run === run && record.control.some((event) => event.type === "effect_intended" && event.effect_id === effectId),
  );

  return first && intent ? { proof: { kind: "run", first, intent, receipt } } : {};
};

/** Reads need no local proof; changes and receipts go through the executor's own verification. */
const perform = async (
  deps: RunnerDeps,
  session: Session,
  effect: Effect,
  caller: string,
  signal: AbortSignal,
): Promise<PrivilegedAnswer | McpAnswer | SimulatedAnswer> => {
  const state = session.state();
  if (isSimulated(state)) return simulateAnswer(deps, state, effect);
  const args = argumentsOf(state, effect);
  const receipt = effect.approval_id === null ? null : (state.gates[effect.approval_id]?.receipt ?? null);
  const claim = {
    effect_id: effect.effect_id,
    server: effect.effect.server,
    tool: effect.effect.tool,
    arguments: args,
    definition_digest: effect.effect.definition_digest,
    idempotency_key: encodeIdempotencyKey(effect),
    receipt,
    input: findAnsweredInput(state, effect.effect_id),
  } satisfies EffectClaim & { readonly input: McpCall["input"] };
  const proof = proofOf(session.records(), state.run, claim);
  if ((effect.effect_class === "read" || effect.effect_class === "pure") && receipt === null) {
    const { effect_id: effectId, definition_digest: definitionDigest, idempotency_key: idempotencyKey, ...call } = claim;

    return deps.mcp.call({ ...call, ...proof, ...placeOf(state), caller, definitionDigest, effectId, idempotencyKey }, signal);
  }
  const evidence = {
    workspace: state.workspace,
    run: state.run,
    graph_hash: state.graphHash,
    policy_hash: state.policyHash,
    records: session.records(),
  };

  const answer = await createPrivilegedCall(deps.mcp, deps.publicKeys, deps.clock, deps.journal)(
    { ...claim, ...proof },
    evidence,
    caller,
    signal,
  );
  if (answer.status === "unauthorized" && answer.fault === "receipt_spent") {
    countRollback("receipt");
    log().error({ run: state.run, effect: effect.effect_id }, "a call was not made: its approval was used for another call before");
  }

  return answer;
};

/** Undoes an effect: availability, intent, call, outcome; or a gate. */
export const undoEffect = async (deps: RunnerDeps, session: Session, effectId: string): Promise<void> => {
  const before = session.state();
  const undo = before.compensation.find((entry) => entry.effect_id === effectId);
  if (!undo) return;
  const pin = findPublishedIn(session.root, undo.frames).tools.find(({ server, tool }) => server === undo.server && tool === undo.tool);
  const availability = await getAvailability(deps, before, pin, "node");
  const { state } = await session.submit({
    principal: { type: "engine", epoch: session.epoch },
    body: { kind: "undo", effect_id: effectId, availability },
  });
  const intended = Object.values(state.effects).find((effect) => effect.undoes === effectId && effect.outcome === null);
  if (intended && state.status !== "waiting") await performEffect(deps, session, intended, "node", session.ended).catch(letSuspended);
};

/** A waiting or ended run needs nothing more. */
const letSuspended = (error: unknown): void => {
  if (!(error instanceof Suspended)) throw error;
};

type Worker = Parameters<Session["submit"]>[0]["principal"];

/** The call repeats with the person's answer, or the lack of people is the answer. */
const askPerson = async (
  session: Session,
  effect: Effect,
  principal: Worker,
  { requests, state: opaque }: McpInputRequest,
  signal: AbortSignal,
): Promise<ToolAnswer> => {
  const body = { kind: "effect_input", effect_id: effect.effect_id, request: requests, state: opaque } as const;
  const { verdict, state } = await session.submit({ principal, body });
  const settled = state.effects[effect.effect_id];
  if (!verdict.ok || signal.aborted || isTerminal(state.status) || !settled || settled.outcome === null) throw new Suspended();

  return findRecordedAnswer(state, settled);
};

/** Performs an intended effect. After a crash, the next lease recovers the open intent. */
export const performEffect = async (
  deps: RunnerDeps,
  session: Session,
  effect: Effect,
  caller: string,
  signal: AbortSignal,
): Promise<ToolAnswer> => {
  const work = () => perform(deps, session, effect, caller, signal);
  const answer = await (deps.track ? deps.track(work) : work());
  const principal = { type: "executor", node: effect.node, agent: caller === "node" ? null : caller, epoch: session.epoch } as const;
  if (answer.status === "input_required") return askPerson(session, effect, principal, answer.request, signal);
  const { outcome, result: answered } = outcomeOf(answer);
  const { workspace: workspaceId } = session.state();
  const call = { workspaceId, effectId: effect.effect_id, tool: effect.effect.tool };
  const { result, artifacts } =
    answer.status === "simulated" ? { result: answered, artifacts: [] } : await storeAnswerFiles(deps.vault, call, answered);
  const { verdict, state } = await session.submit({
    principal,
    body: {
      kind: "effect_outcome",
      effect_id: effect.effect_id,
      outcome,
      result,
      ...(answer.status === "simulated" ? { simulated: true } : {}),
      ...(artifacts.length === 0 ? {} : { artifacts: [...artifacts] }),
    },
  });
  if (!verdict.ok || signal.aborted || isTerminal(state.status)) throw new Suspended();

  return { status: outcome, result };
};
