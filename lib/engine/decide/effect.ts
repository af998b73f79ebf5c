/** Tool calls: authorization, intent, later outcome. */
import { getArtifactDigest, listReferences, withArtifacts } from "@/lib/artifact";
import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { asksPerson, callsTool, fillsForm } from "@/lib/graph/kind-of";
import { CLEAN, joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { parsePath } from "@/lib/graph/path";
import { getToolId } from "@/lib/graph/tool-ref";
import { isJsonObject, toPlainJson, type Json, type JsonObject } from "@/lib/json";
import { refuse } from "@/lib/refusal";
import { checkApprovedCall, checkArguments, findToolRefusal } from "@/lib/engine/decide/call-rules";
import type { DecideContext } from "@/lib/engine/decide/context";
import { listCallDemands } from "@/lib/engine/decide/demands";
import { openGate } from "@/lib/engine/decide/gate";
import { findOpenFor } from "@/lib/engine/decide/turn";
import { checkVerification } from "@/lib/engine/decide/verification";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { findAwaited, recordUndone, undoGround, undoOf, NO_UNDO } from "@/lib/engine/decide/undo";
import { listAnsweredInputs, answerPath } from "@/lib/engine/approvals/pending-question";
import { getEffectClass } from "@/lib/engine/effect-class";
import { computeIdempotencyKey } from "@/lib/engine/idempotency-key";
import { findPublishedIn } from "@/lib/engine/frame";
import { isChosenByModel, isModelTask } from "@/lib/engine/approvals/model-choice";
import { listCallRules, listGraphs, obeysAll } from "@/lib/engine/approvals/rules";
import { listEarlierCalls } from "@/lib/engine/approvals/run-calls";
import { needsReceipt, getTelling, type Asks, type JudgedCall } from "@/lib/engine/approvals/policy";
import { findAside, isResting, isSimulated, ownEntry, toIntent, type Cell, type Effect, type RunState } from "@/lib/engine/state";
import { findActingIn, findTask, type Task } from "@/lib/engine/task";
import { buildToolArguments } from "@/lib/engine/tool-arguments";
import { computeArgumentsDigest, buildEffectTransition, computeTransitionDigest } from "@/lib/engine/ledger/transition";
import { findAgent, getContextLabel, expandGrants, listInfluences, getTaskGrants, buildView } from "@/lib/engine/view";

const RESULT_LIMITS = { maxBytes: 16 * 1_048_576, maxDepth: 64 };

const pinsOf = (published: PublishedGraph, named: readonly { readonly server: string; readonly tool: string }[]): readonly PinnedTool[] =>
  published.tools.filter((pin) => named.some((ref) => ref.server === pin.server && ref.tool === pin.tool));

export const listTaskTools = (published: PublishedGraph, task: Pick<Task, "acting" | "agent" | "judges">): readonly PinnedTool[] => {
  if (task.judges || fillsForm(task.acting)) return [];

  return pinsOf(published, callsTool(task.acting) ? [task.acting.config] : (task.agent?.tools ?? []));
};

export const listGrantedTools = (published: PublishedGraph, node: GraphNode): readonly PinnedTool[] =>
  listTaskTools(published, { acting: node, agent: findAgent(published, node), judges: false });

const hasGateNode = (published: PublishedGraph, node: GraphNode) =>
  published.graph.nodes.some((other) => asksPerson(other) && other.config.for_node === node.id);

/** Returns a call's quorum, also outside its approval node. */
export const getQuorum = (published: PublishedGraph, nodes: readonly GraphNode[]): number =>
  Math.max(
    1,
    ...published.graph.nodes.flatMap((other) =>
      asksPerson(other) && nodes.some(({ id }) => id === other.config.for_node) ? [other.config.quorum] : [],
    ),
  );

/** Returns the graph's questions. A node that names its tool names reads too. */
export const getAsks = (published: PublishedGraph, node: GraphNode, acting: GraphNode): Asks => {
  const asking = [node, acting].filter((one) => one.approval !== "by_rule" || hasGateNode(published, one));
  if (asking.some((one) => one.approval === "every_call" || callsTool(one))) return "every_call";

  return asking.length > 0 ? "changes" : "by_rule";
};

const isBehindApproval = ({ fork }: RunState): boolean => fork !== null && fork.effects === "live" && fork.approved;

/** Returns whether a call waits whatever data shaped it. */
const isAskedAnyway = ({ effect, label, asks, byModel }: JudgedCall): boolean =>
  effect === "pure" || effect === "read"
    ? asks === "every_call"
    : asks !== "by_rule" || (effect === "write" && byModel && label.integrity === "trusted");

/** The graph sets a tool node's arguments, not the executor. */
const isMapped = (published: PublishedGraph, state: RunState, task: Task, args: JsonObject): boolean => {
  if (!callsTool(task.acting)) return true;
  const view = buildView(published.graph, state, getTaskGrants(task).read);
  const mapped = buildToolArguments(task.acting, view, task.item?.value);

  return computeArgumentsDigest(args) === computeArgumentsDigest(mapped);
};

export const decideIntent = (context: DecideContext<"effect_intent">, node: GraphNode): Verdict => {
  const { published, state, proposal, body } = context;
  const task = findTask(published, state, node, body.task ?? "");
  if (!task) return reject(refuse("task_unknown", [node.id]), node.id);
  const granted = listTaskTools(published, task);
  const legal = granted.map((pin) => `call:${getToolId(pin.server, pin.tool)}`);
  const tool = granted.find((pin) => pin.server === body.server && pin.tool === body.tool);
  const declared = published.tools.some((pin) => pin.server === body.server && pin.tool === body.tool);
  if (!tool) return reject(refuse("tool_not_granted", declared ? [getToolId(body.server, body.tool)] : [], legal), node.id);
  const id = getToolId(tool.server, tool.tool);
  // One effect per call id: repeats get the recorded answer.
  const twin = Object.values(state.effects).some((effect) => effect.activation === body.activation && effect.call_id === body.call_id);
  if (twin) return reject(refuse("version_conflict", [id], legal), node.id);
  const plain = checkArguments(tool, body.arguments);
  const mapped = plain && isMapped(published, state, task, plain) ? plain : null;
  const proposed = { args: mapped ?? {}, label: getContextLabel(published, state, node, task.id) };
  const code = findToolRefusal(tool, body.availability, mapped, proposed.label);
  if (code) return reject(refuse(code, [id], legal), node.id);

  const effectClass = getEffectClass(task.acting, tool);
  // Tool nodes make one call, so an earlier approval covers exactly it.
  const call = callsTool(node) ? "call" : `${body.activation}:${body.call_id}`;
  const asked = { ...proposed, transition: buildEffectTransition(published, state, node, tool, proposed.args, call, task.id) };
  const open = findOpenFor(state, computeTransitionDigest(asked.transition));
  if (open && state.status === "waiting") return reject(refuse("node_not_active", [id]), node.id);
  if (open) return accept({ events: [{ type: "status_changed", to: "waiting", reason: open.gate.reason }], node: node.id });
  const found = checkApprovedCall(context, node, { tool, call, task: task.id, asked, byModel: isModelTask(task) });
  if (!found.ok) return reject(refuse(found.error.code, [id, ...found.error.ids], legal), node.id);
  const { args, label, transition } = found.value;
  const rules = listCallRules(state.start, {
    graphs: listGraphs(context.root, published),
    server: tool.server,
    tool: tool.tool,
    effect: effectClass,
    label,
    args,
    listEarlier: () => listEarlierCalls(state, tool, { gate: found.value.receipt?.gate.id }),
  });
  // An earlier approval may have been given under a lower label.
  const receipt = found.value.receipt && obeysAll(found.value.receipt.gate, rules) ? found.value.receipt : undefined;
  const asks = isBehindApproval(state) && effectClass === "write" ? "changes" : getAsks(published, node, task.acting);
  const reads = listReads(listInfluences(published, state, node, task.id));
  const checked = checkVerification({ published, state, proposal, node }, { task, tool, args, effectClass, transition, label });
  if (checked.type === "held") return accept({ events: checked.events, writes: checked.writes, reads, node: node.id });
  const byModel = isChosenByModel(context.root, task, label, tool);
  const judged = { effect: effectClass, label, asks, telling: getTelling(task.acting, tool), byModel };
  if (!receipt && (needsReceipt(judged) || rules.length > 0)) {
    const gate = openGate(proposal, {
      node,
      reason: rules.length > 0 || isAskedAnyway(judged) ? "effect" : "tainted_effect",
      prompt: `${node.title || node.id} asks to call ${tool.tool}`,
      transition,
      pending: { server: tool.server, tool: tool.tool, arguments: args, call, task: task.id },
      label,
      quorum: getQuorum(published, [node, task.acting]),
      demands: listCallDemands(published, node, task.acting),
    });

    return accept({ ...gate, reads, node: node.id });
  }

  // Beside a waiting call, another may only wait.
  if (state.status === "waiting") return reject(refuse("node_not_active", [id]), node.id);
  const effect = {
    server: tool.server,
    tool: tool.tool,
    definition_digest: tool.definition_digest,
    arguments_digest: transition.effect?.arguments_digest ?? "",
  };
  const { activation, call_id } = body;

  return accept({
    events: [
      {
        type: "effect_intended",
        effect_id: proposal.fresh[0],
        node: node.id,
        activation,
        task: task.id,
        call_id,
        idempotency_key: computeIdempotencyKey(state.run, { activation, call_id, effect }, receipt?.receipt ?? null),
        undoes: null,
        frames: state.frames.map((frame) => frame.node),
        effect,
        effect_class: effectClass,
        idempotent: tool.idempotent || effectClass === "pure" || effectClass === "read",
        approval_id: receipt?.gate.id ?? null,
        case_id: checked.caseId,
        epoch: proposal.epoch,
      },
    ],
    writes: [
      { path: `$arguments.${proposal.fresh[0]}`, value: args, label },
      ...undoGround(published, state, task, proposal.fresh[0], label),
    ],
    reads,
    node: node.id,
  });
};

/** Untrusted, with the request's and the admin's confidentiality. */
const resultLabel = (published: PublishedGraph, asked: Label, server: string, tool: string): Label => {
  const output = published.tools.find((pin) => pin.server === server && pin.tool === tool)?.output ?? "secret";

  return joinLabels([asked, createSourceLabel("untrusted", output, `mcp:${server}/${tool}`)]);
};

const destinationLabel = (published: PublishedGraph, nodeId: string): Label => {
  const node = published.graph.nodes.find((candidate) => candidate.id === nodeId);
  const keys = callsTool(node) ? expandGrants(published.graph, node.write_keys).map((path) => parsePath(path)?.[0]) : [];

  return joinLabels(
    published.graph.memory
      .filter(({ key }) => keys.includes(key))
      .map(({ classification }) => ({ ...CLEAN, confidentiality: classification })),
  );
};

/** It has happened, so its record needs a hashable value. */
const settledResult = (value: unknown): Json => {
  const plain = toPlainJson(value, RESULT_LIMITS);

  return plain.ok ? plain.value : { unrepresentable: plain.error };
};

const answersTo = (state: RunState, effect: Effect): readonly Cell[] =>
  listAnsweredInputs(state, effect.effect_id).flatMap(({ gate }) => findAside(state, answerPath(gate.id)));

/** Labels an outcome with people's answers during the call. */
export const labelOutcome = (published: PublishedGraph, state: RunState, effect: Effect): Label => {
  const asked = findAside(state, `$arguments.${effect.effect_id}`).at(-1);

  return joinLabels([
    resultLabel(published, asked?.label ?? CLEAN, effect.effect.server, effect.effect.tool),
    ...answersTo(state, effect).map(({ label }) => label),
    destinationLabel(published, effect.node),
  ]);
};

export const decideOutcome = ({ root, state, proposal, body }: DecideContext<"effect_outcome">): Verdict => {
  const effect = ownEntry(state.effects, body.effect_id);
  if (!effect || effect.outcome !== null) return reject(refuse("effect_unknown"));
  if (proposal.principal.type !== "executor" || proposal.principal.node !== effect.node) {
    return reject(refuse("principal_not_allowed", [effect.node]), effect.node);
  }
  // Simulated and live answers never mix.
  if (isSimulated(state) !== (body.simulated === true)) return reject(refuse("simulation_mismatch", [effect.node]), effect.node);
  const asked = findAside(state, `$arguments.${body.effect_id}`).at(-1);
  const result = settledResult(body.result);
  // The effect's own graph: the run may have moved on.
  const published = findPublishedIn(root, effect.frames);
  const named = listReferences(result).filter((artifact) => artifact !== null);
  const stored = named.filter((artifact) => body.artifacts?.includes(getArtifactDigest(artifact)));
  const label = withArtifacts(labelOutcome(published, state, effect), stored);
  const pushed = body.outcome === "ok" ? undoOf(published, state, effect, result, label) : NO_UNDO;

  return accept({
    events: [
      { type: "effect_settled", effect_id: body.effect_id, outcome: body.outcome, simulated: isSimulated(state) },
      ...pushed.events,
      ...(effect.undoes === null ? [] : [recordUndone(effect.undoes, body.outcome === "ok" ? "done" : "failed")]),
    ],
    writes: [{ path: `$result.${body.effect_id}`, value: result, label }, ...pushed.writes],
    reads: listReads([...(asked ? [asked] : []), ...answersTo(state, effect)]),
    node: effect.node,
  });
};

/** Recovers unsettled intents: retries if idempotent, else asks. */
export const decideRecover = ({ root, state, proposal, body }: DecideContext<"recover">): Verdict => {
  const effect = ownEntry(state.effects, body.effect_id);
  const placed = findPublishedIn(root, effect?.frames ?? []);
  const node = placed.graph.nodes.find((candidate) => candidate.id === effect?.node);
  const waited = findAwaited(root, state);
  const isOver = waited?.effect.effect_id === effect?.effect_id && proposal.at >= (waited?.until ?? 0);
  if (!effect || !node || effect.outcome !== null) return reject(refuse("effect_unknown"));
  if (effect.epoch >= proposal.epoch && !isOver) return reject(refuse("effect_unknown"));
  if (state.status === "waiting" && !isResting(state)) return reject(refuse("version_conflict"), node.id);
  // A retry could only harm, and a gate would concern another node.
  if (effect.activation !== state.activation && effect.undoes === null) {
    return accept({
      events: [{ type: "effect_settled", effect_id: body.effect_id, outcome: "abandoned", simulated: false }],
      node: node.id,
    });
  }
  const intended = toIntent(effect);
  if (effect.idempotent || isSimulated(state)) return accept({ events: [{ ...intended, epoch: proposal.epoch }], node: node.id });

  const asked = state.aside.find((cell) => cell.path === `$arguments.${body.effect_id}`);
  const args = asked?.content.known ? asked.content.value : null;
  const pin = placed.tools.find((tool) => tool.server === effect.effect.server && tool.tool === effect.effect.tool);
  if (!pin || !asked || !isJsonObject(args ?? undefined)) return reject(refuse("effect_unknown"));
  const acting = findActingIn(placed, node, effect.task);
  const gate = openGate(proposal, {
    node,
    reason: "unclear_effect",
    prompt: `${effect.effect.tool} was called, but its outcome is unknown. Approve to call it again.`,
    transition: buildEffectTransition(placed, state, node, pin, args as JsonObject, `again:${body.effect_id}`, effect.task),
    pending: { server: pin.server, tool: pin.tool, arguments: args, effect_id: body.effect_id },
    label: asked.label,
    quorum: getQuorum(placed, acting ? [node, acting] : [node]),
    demands: listCallDemands(placed, node, acting),
    editors: effect.approval_id === null ? undefined : ownEntry(state.gates, effect.approval_id)?.gate.editors,
  });

  return accept({ ...gate, node: node.id });
};
