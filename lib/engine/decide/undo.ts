/** Compensation: undos are fixed early and run newest first. */
import type { Compensation, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { joinLabels, type Label } from "@/lib/graph/label";
import { parsePath, getValueAt } from "@/lib/graph/path";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { refuse } from "@/lib/refusal";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { listCallDemands } from "@/lib/engine/decide/demands";
import { openGate } from "@/lib/engine/decide/gate";
import { accept, listReads, reject, type Accepted, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import { findPublishedIn } from "@/lib/engine/frame";
import { computeIdempotencyKey, encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import { isChosenByModel } from "@/lib/engine/approvals/model-choice";
import { listEarlierCalls } from "@/lib/engine/approvals/run-calls";
import { listCallRules, listGraphs, obeysAll } from "@/lib/engine/approvals/rules";
import { canBeShown, needsReceipt, getTelling } from "@/lib/engine/approvals/policy";
import { findAside, findCellsAt, getKnownValue, findNextUndo, ownEntry, type Effect, type RunState, type Undo } from "@/lib/engine/state";
import { findActingIn, type Task } from "@/lib/engine/task";
import { buildEffectTransition, findReceiptFor, computeTransitionDigest } from "@/lib/engine/ledger/transition";
import { getTaskGrants, buildView } from "@/lib/engine/view";

export const NO_UNDO: Pick<Accepted, "events" | "writes"> = { events: [], writes: [] };

export const recordUndone = (effectId: string, outcome: NonNullable<Undo["outcome"]>): RunEvent => ({
  type: "compensation_settled",
  effect_id: effectId,
  outcome,
});

const partOf = (value: Json, path: string): Json | undefined => (path === "" ? value : getValueAt(value, parsePath(path) ?? []));

/** Captures memory that an undo needs. The task sees it, so labels join. */
export const undoGround = (published: PublishedGraph, state: RunState, task: Task, effectId: string, label: Label): Write[] => {
  const view = buildView(published.graph, state, getTaskGrants(task).read);
  const values = Object.entries(task.acting.compensation?.arguments ?? {}).flatMap(([name, from]) => {
    const value = "from" in from ? getValueAt(view, parsePath(from.from) ?? []) : undefined;

    return value === undefined ? [] : [[name, value] as const];
  });

  // The requester may have seen only handles.
  const cells = Object.values(task.acting.compensation?.arguments ?? {}).flatMap((from) =>
    "from" in from ? findCellsAt(state.cells, from.from) : [],
  );

  return values.length === 0
    ? []
    : [
        {
          path: `$ground.${effectId}`,
          value: Object.fromEntries(values),
          label: joinLabels([label, ...cells.map((cell) => cell.label)]),
        },
      ];
};

type Known = { readonly asked: Json; readonly ground: Json; readonly result: Json };

const undoArguments = (compensation: Compensation, { asked, ground, result }: Known): JsonObject => {
  const valueOf = (name: string, from: Compensation["arguments"][string]): Json | undefined => {
    if ("value" in from) return from.value;
    if ("from" in from) return ownMember(ground, name);

    return "result" in from ? partOf(result, from.result) : ownMember(asked, from.argument);
  };

  return Object.fromEntries(
    Object.entries(compensation.arguments).flatMap(([name, from]) => {
      const value = valueOf(name, from);

      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/**
 * Builds an effect's undo.
 * @param label of its answer
 */
export const undoOf = (
  published: PublishedGraph,
  state: RunState,
  effect: Effect,
  result: Json,
  label: Label,
): Pick<Accepted, "events" | "writes"> => {
  const node = findNodeById(published, effect.node);
  const compensation = node && findActingIn(published, node, effect.task)?.compensation;
  const changes = effect.effect_class === "write" || effect.effect_class === "irreversible";
  if (!compensation || !changes || effect.undoes !== null) return NO_UNDO;
  const asked = findAside(state, `$arguments.${effect.effect_id}`).at(-1);
  const ground = findAside(state, `$ground.${effect.effect_id}`).at(-1);
  const usesAnswer = Object.values(compensation.arguments).some((from) => "result" in from);
  const known = { asked: getKnownValue(asked) ?? {}, ground: getKnownValue(ground) ?? {}, result };

  return {
    events: [
      {
        type: "compensation_pushed",
        effect_id: effect.effect_id,
        node: effect.node,
        activation: effect.activation,
        frames: effect.frames,
        server: compensation.server,
        tool: compensation.tool,
      },
    ],
    writes: [
      {
        path: `$undo.${effect.effect_id}`,
        value: undoArguments(compensation, known),
        label: joinLabels([asked?.label ?? label, ...(ground ? [ground.label] : []), ...(usesAnswer ? [label] : [])]),
      },
    ],
  };
};

const GRACE_MS = 10_000;

/** Returns a call in flight worth waiting for. */
export const findAwaited = (root: PublishedGraph, state: RunState): { readonly effect: Effect; readonly until: number } | null => {
  const { unwinding } = state;
  const effect = Object.values(state.effects).find((candidate) => candidate.outcome === null && isUndoable(root, candidate));

  return unwinding && effect ? { effect, until: unwinding.since + GRACE_MS } : null;
};

const isUndoable = (root: PublishedGraph, effect: Effect): boolean => {
  const published = findPublishedIn(root, effect.frames);
  const node = findNodeById(published, effect.node);
  const changes = effect.effect_class === "write" || effect.effect_class === "irreversible";

  return changes && effect.undoes === null && node !== undefined && findActingIn(published, node, effect.task)?.compensation !== undefined;
};

type Prepared = { readonly node: GraphNode; readonly published: PublishedGraph; readonly undo: Undo };

const call = ({ node, published, undo }: Prepared, { root, state, proposal }: DecideContext<"undo">): Verdict => {
  const pin = published.tools.find((tool) => tool.server === undo.server && tool.tool === undo.tool);
  const cell = findAside(state, `$undo.${undo.effect_id}`).at(-1);
  const args = getKnownValue(cell);
  const legal = pin && cell && isJsonObject(args) && matchesSchema(pin.input_schema, args, false) && canBeShown(cell.label, pin.clearance);
  // Recorded as failed, so that other undos continue.
  if (!legal) return accept({ events: [recordUndone(undo.effect_id, "failed")], node: node.id });
  const effectClass = pin.effect === "irreversible" ? "irreversible" : "write";
  // Fixed with the effect; current memory plays no part.
  const transition = { ...buildEffectTransition(published, state, node, pin, args, `undo:${undo.effect_id}`), reads: [] };
  const asks = node.approval === "by_rule" ? "by_rule" : "changes";
  const byModel = isChosenByModel(root, null, cell.label, pin);
  const approved = findReceiptFor(state, computeTransitionDigest(transition), proposal.at);
  const rules = listCallRules(state.start, {
    graphs: listGraphs(root, published),
    server: pin.server,
    tool: pin.tool,
    effect: effectClass,
    label: cell.label,
    args,
    listEarlier: () => listEarlierCalls(state, pin, { gate: approved?.gate.id }),
  });
  const receipt = approved && obeysAll(approved.gate, rules) ? approved : undefined;
  const judged = { effect: effectClass, label: cell.label, asks, telling: getTelling(node, pin), byModel } as const;
  if (!receipt && (needsReceipt(judged) || rules.length > 0)) {
    const gate = openGate(proposal, {
      node,
      reason: "undo",
      prompt: `The run ended early. Undo the effect of ${node.title || node.id} by calling ${pin.tool}?`,
      transition,
      pending: { server: pin.server, tool: pin.tool, arguments: args, undoes: undo.effect_id },
      label: cell.label,
      demands: listCallDemands(published, node),
    });

    return accept({ ...gate, reads: listReads([cell]), node: node.id });
  }
  const [id] = proposal.fresh;
  const effect = {
    server: pin.server,
    tool: pin.tool,
    definition_digest: pin.definition_digest,
    arguments_digest: transition.effect?.arguments_digest ?? "",
  };
  const { activation } = undo;
  const before = ownEntry(state.effects, undo.effect_id);
  // Random effect ids would give equal calls different undo keys.
  const place = { activation, call_id: `undo/${before ? encodeIdempotencyKey(before) : undo.effect_id}`, effect };

  return accept({
    events: [
      {
        type: "effect_intended",
        effect_id: id,
        node: node.id,
        activation,
        task: "",
        call_id: `undo/${undo.effect_id}`,
        idempotency_key: computeIdempotencyKey(state.run, place, receipt?.receipt ?? null),
        undoes: undo.effect_id,
        frames: undo.frames,
        effect,
        effect_class: effectClass,
        idempotent: pin.idempotent,
        approval_id: receipt?.gate.id ?? null,
        case_id: null,
        epoch: proposal.epoch,
      },
    ],
    writes: [{ path: `$arguments.${id}`, value: args, label: cell.label }],
    reads: listReads([cell]),
    node: node.id,
  });
};

/** Undoes the newest effect. If its tool is gone, it stays. */
export const decideUndo = (context: DecideContext<"undo">): Verdict => {
  const { root, state, body } = context;
  const undo = findNextUndo(state);
  const underWay = Object.values(state.effects).some((effect) => effect.undoes === body.effect_id && effect.outcome === null);
  if (!undo || undo.effect_id !== body.effect_id || underWay || state.status === "waiting") return reject(refuse("nothing_to_undo"));
  const published = findPublishedIn(root, undo.frames);
  const node = findNodeById(published, undo.node);
  if (!node || body.availability !== "ok") {
    return accept({ events: [recordUndone(undo.effect_id, "failed")], node: node?.id ?? null });
  }

  return call({ node, published, undo }, context);
};

export const decideUnwound = ({ root, state }: DecideContext<"unwound">): Verdict => {
  if (!state.unwinding || findNextUndo(state) || findAwaited(root, state)) return reject(refuse("nothing_to_undo"));

  return accept({ events: [{ type: "status_changed", to: state.unwinding.to, reason: state.unwinding.reason }] });
};
