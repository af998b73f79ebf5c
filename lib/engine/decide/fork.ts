import { getArtifactSource, listReferences } from "@/lib/artifact";
import { joinRules, MOST_RULES_OF_RUN, type Rule } from "@/lib/approval-rules/rule";
import { listVariables } from "@/lib/graph/variables";
import { getVariables } from "@/lib/engine/environment";
import { joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { isJsonObject, type Json } from "@/lib/json";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { checkAsker, type Asking } from "@/lib/engine/decide/check-asker";
import { getLimits } from "@/lib/engine/budget";
import { enter } from "@/lib/engine/decide/complete";
import type { DecideContext } from "@/lib/engine/decide/context";
import { labelOutcome } from "@/lib/engine/decide/effect";
import { decideStart, buildStartedEvent } from "@/lib/engine/decide/people";
import { resolveGate } from "@/lib/engine/decide/resolve";
import { accept, listReads, reject, type Accepted, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import { isTerminal } from "@/lib/engine/event";
import { forkState, hasPlaceOf, MAX_FORK_DEPTH, canContinue, getPromptPath, type ForkEvent } from "@/lib/engine/forks/fork";
import { toRecordedChange, type ForkChange } from "@/lib/engine/forks/fork-change";
import { clampLimits, type RunLimits } from "@/lib/engine/run-limits";
import { findAside, findCellsAt, ownEntry, type RunState } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/ledger/transition";

type Context = DecideContext<"fork">;
type Change<T extends ForkChange["type"]> = Extract<ForkChange, { type: T }>;
type Made = Pick<Accepted, "events" | "writes" | "reads">;

const NOTHING: Made = { events: [], writes: [], reads: [] };
const no = (code: RefusalCode): Result<Made, Refusal> => err(refuse(code));

const asking = ({ proposal, body }: Context): Result<Asking, RefusalCode> =>
  checkAsker(proposal.principal, "run.start", [body.effects === "live" ? "run.fork_live" : "run.fork", "runs:start"]);

const by = (context: Context): Label => {
  const asked = asking(context);

  return asked.ok ? asked.value.label : createSourceLabel("untrusted", "internal", "engine");
};

const eventOf = ({ state, body }: Context): ForkEvent => ({
  type: "run_forked",
  run: body.run,
  graph_hash: state.graphHash,
  parent_run: body.parent_run,
  parent_seq: body.parent_seq,
  change: toRecordedChange(body.change),
  effects: body.effects,
});

const isLooser = ({ effects, widens, change }: Context["body"]): boolean => effects === "live" && (widens || change.type === "route");

const objection = (context: Context): RefusalCode | null => {
  const { state, proposal, body } = context;
  const asked = asking(context);
  if (!asked.ok) return asked.error;
  // Tokens may backtrack but not change history.
  if (proposal.principal.type === "agent" && body.change.type !== "none") return "principal_not_allowed";
  if (state.run === body.parent_run) return body.refused ?? "malformed";
  if (state.run !== body.run || state.version !== body.parent_seq) return "fork_point";
  if ((state.fork?.depth ?? 0) >= MAX_FORK_DEPTH) return "fork_depth";
  if (!canContinue(state, body.effects)) return "simulation_mismatch";
  if (isLooser(body)) return "fork_widens";
  if (isTerminal(state.status) || state.unwinding) return "run_finished";

  return state.version > 0 && state.start === null ? "fork_point" : null;
};

/** Taint stays; live forks lose review, since earlier work used the old value. */
const changeMemory = (context: Context, change: Change<"memory">): Result<Made, Refusal> => {
  const { published, state, body } = context;
  const standing = findCellsAt(state.cells, change.path);
  const own = by(context);
  const label = joinLabels([body.effects === "live" ? { ...own, integrity: "untrusted" } : own, ...standing.map((cell) => cell.label)]);
  const checked = checkWrites(published, state, [change.path], [change], label);
  if (!checked.ok) return checked;
  const { writes, protectedKeys } = checked.value;

  return protectedKeys.length > 0
    ? err(refuse("key_protected", protectedKeys))
    : ok({ ...NOTHING, writes: [...writes], reads: listReads(standing) });
};

const changeRoute = ({ published, state }: Context, begun: RunState, change: Change<"route">): Result<Made, Refusal> => {
  const edge = published.graph.edges.find((candidate) => candidate.id === change.edge);
  const wasTaken = published.graph.edges.some(({ source: from, target }) => from === edge?.source && target === state.currentNode);
  if (!edge || !wasTaken || state.activation !== state.version - 1) return no("fork_change");

  return ok({ ...NOTHING, events: [enter(published, begun, edge.target, edge.id)] });
};

const isUsed = (state: RunState, effectId: string): boolean => {
  const answered = findAside(state, `$result.${effectId}`).at(-1)?.seq;

  return answered !== undefined && state.aside.some(({ path, seq }) => path.startsWith(`$thread.${state.activation}.`) && seq > answered);
};

const changeResult = (context: Context, change: Change<"tool_result">): Result<Made, Refusal> => {
  const { published, state } = context;
  const effect = ownEntry(state.effects, change.effect_id);
  if (!effect || effect.activation !== state.activation || effect.outcome === "abandoned") return no("fork_change");
  if (isUsed(state, change.effect_id)) return no("fork_change");
  const label = joinLabels([labelOutcome(published, state, effect), by(context)]);

  return ok({
    events: [{ type: "effect_settled", effect_id: change.effect_id, outcome: "ok", simulated: true }],
    writes: [{ path: `$result.${change.effect_id}`, value: change.result, label }],
    reads: listReads(findAside(state, `$arguments.${change.effect_id}`)),
  });
};

/** Simulations only: unsigned. */
const changeDecision = (context: Context, begun: RunState, change: Change<"decision">): Result<Made, Refusal> => {
  const gate = ownEntry(begun.gates, change.approval_id);
  if (context.body.effects !== "simulate") return no("simulation_mismatch");
  if (!gate || gate.status !== "open") return no("approval_closed");
  if (isStale(begun, gate.gate.transition)) return no("approval_stale");
  // Its call is not in flight in the fork.
  if (gate.gate.reason === "tool_input") return no("fork_change");
  const outcome = change.decision === "approve" ? "approved" : "rejected";
  const resolved = resolveGate(context.published, begun, context.proposal, gate, outcome);

  return ok({ ...NOTHING, ...resolved });
};

/** Before its start, a fork looks them up. */
const lacksVariables = ({ root, state }: Context): boolean =>
  state.start !== null && listVariables(root).some((name) => !Object.hasOwn(getVariables(state), name));

const changed = (context: Context, begun: RunState): Result<Made, Refusal> => {
  const { root, state, body } = context;
  const { change } = body;
  switch (change.type) {
    case "none":
    case "model":
    case "strict_taint":
      return ok(NOTHING);
    case "version":
      if (!hasPlaceOf(root, state)) return no("fork_change");

      return lacksVariables(context) ? no("variable_missing") : ok(NOTHING);
    case "prompt": {
      const known = root.agents.some((agent) => agent.id === change.agent);

      return known
        ? ok({ ...NOTHING, writes: [{ path: getPromptPath(change.agent), value: change.system_prompt, label: by(context) }] })
        : no("fork_change");
    }
    case "memory":
      return changeMemory(context, change);
    case "route":
      return changeRoute(context, begun, change);
    case "tool_result":
      return changeResult(context, change);
    case "decision":
      return changeDecision(context, begun, change);
    case "input":
      return no("fork_change");
    default:
      return change satisfies never;
  }
};

const AT_START: readonly ForkChange["type"][] = ["none", "input", "model", "prompt", "version", "strict_taint"];

const withInput = (inputs: Json, change: ForkChange): Json =>
  change.type === "input" && isJsonObject(inputs) ? { ...inputs, [change.path]: change.value } : inputs;

const inherited = ({ root }: Context, limits: RunLimits | undefined): RunLimits => clampLimits(limits ?? {}, getLimits(root.graph));

const noMoreTrusted = (writes: readonly Write[], { labels = {} }: NonNullable<Context["body"]["start"]>): readonly Write[] =>
  writes.map((write) => ({ ...write, label: joinLabels([write.label, ...[ownEntry(labels, write.path) ?? []].flat()]) }));

const isGiven = (change: ForkChange, { labels = {}, artifacts = [] }: NonNullable<Context["body"]["start"]>): boolean => {
  if (change.type !== "input") return true;
  const known = new Set([...artifacts, ...(ownEntry(labels, change.path)?.provenance ?? [])]);

  return listReferences(change.value).every((artifact) => artifact !== null && known.has(getArtifactSource(artifact)));
};

const listGiven = ({ labels = {}, artifacts = [] }: NonNullable<Context["body"]["start"]>): readonly string[] => [
  ...artifacts,
  ...Object.values(labels).flatMap(({ provenance }) => provenance),
];

const forkAtStart = (context: Context, rules: readonly Rule[]): Verdict => {
  const { state, body } = context;
  const { change, start } = body;
  if (!start || !AT_START.includes(change.type)) return reject(refuse("fork_change"));
  if (!isGiven(change, start)) return reject(refuse("artifact_unknown"));
  const { labels: _inherited, approvals: before, rules: _joined, ...again } = start;
  const approvals = body.approvals ?? before;
  const started = decideStart({
    ...context,
    body: {
      kind: "start",
      ...again,
      graph_hash: state.graphHash,
      author: body.author,
      ...(approvals ? { approvals } : {}),
      rules,
      model: change.type === "model" ? change.model : start.model,
      limits: inherited(context, start.limits),
      inputs: withInput(start.inputs, change),
      artifacts: listGiven(start),
    },
  });
  if (!started.ok) return started;
  const made = changed({ ...context, body: { ...body, change: change.type === "input" ? { type: "none" } : change } }, state);
  if (!made.ok) return reject(made.error);

  return {
    ...started,
    events: [eventOf(context), ...started.events],
    writes: [...noMoreTrusted(started.writes, start), ...made.value.writes],
  };
};

export const decideFork = (context: Context): Verdict => {
  const { root, state, proposal, body } = context;
  const code = objection(context);
  const asked = asking(context);
  if (code || !asked.ok) return reject(refuse(code ?? "principal_not_allowed"), state.currentNode);
  const rules = joinRules(state.start?.rules ?? body.start?.rules, body.rules);
  if (rules.length > MOST_RULES_OF_RUN) return reject(refuse("limits_exceeded"), state.currentNode);
  if (state.version === 0) return forkAtStart(context, rules);
  const event = eventOf(context);
  const start = buildStartedEvent(root, {
    initiator: asked.value.initiator,
    author: body.author,
    model: body.change.type === "model" ? body.change.model : (state.start?.model ?? ""),
    limits: inherited(context, state.start?.limits),
    approvals: body.approvals ?? state.start?.approvals,
    rules,
    environment: state.start?.environment,
  });
  const made = changed(context, { ...forkState(state, event, proposal.at), start });
  if (!made.ok) return reject(made.error, state.currentNode);

  return accept({ ...made.value, events: [event, start, ...made.value.events], node: state.currentNode });
};
