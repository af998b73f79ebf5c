/** What executors propose about the node they work on. */
import type { GraphNode } from "@/lib/graph/document";
import { joinLabels, source } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { actionSchema, type Action } from "@/lib/engine/action";
import { completeNode, failAttempt } from "@/lib/engine/decide/complete";
import { nodeById, type DecideContext } from "@/lib/engine/decide/context";
import { openGate } from "@/lib/engine/decide/gate";
import { accept, readsOf, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { checkWrites, type CheckedWrites } from "@/lib/engine/decide/writes";
import type { BodyOf } from "@/lib/engine/proposal";
import { asideAt, cellsAt } from "@/lib/engine/state";
import { threadPath } from "@/lib/engine/thread-of";
import { toolArguments } from "@/lib/engine/tool-arguments";
import { basisOf, effectTransition, overwrittenBy, transitionOf } from "@/lib/engine/transition";
import { contextLabel, effectiveGrants, viewOf } from "@/lib/engine/view";

type NodeContext<K extends "node_result" | "action" | "model_call" | "node_failure" | "model_intent"> = DecideContext<K> & {
  readonly node: GraphNode;
};

const legalWrites = (context: NodeContext<"node_result" | "action">) =>
  effectiveGrants(context.published, context.node).write.map((path) => `write:${path}`);

/** Control actions are grants of their own; the first node kinds grant none but an approval node's question. */
const controlRefusal = (action: Exclude<Action, { type: "update_memory" }>, legal: readonly string[]): Refusal => {
  const code: RefusalCode = action.type === "resume_from_human" ? "principal_not_allowed" : "action_not_granted";

  return refuse(code, [action.type], legal);
};

const parseUpdates = (actions: readonly unknown[], legal: readonly string[]): Result<{ path: string; value: unknown }[], Refusal> => {
  const updates: { path: string; value: unknown }[] = [];
  for (const candidate of actions) {
    const action = actionSchema.safeParse(candidate);
    if (!action.success) return err(refuse("action_unknown", [], legal));
    if (action.data.type !== "update_memory") return err(controlRefusal(action.data, legal));
    updates.push(...action.data.updates);
  }

  return ok(updates);
};

const checked = (context: NodeContext<"node_result" | "action">, actions: readonly unknown[]): Result<CheckedWrites, Refusal> => {
  const legal = legalWrites(context);
  const updates = parseUpdates(actions, legal);
  if (!updates.ok) return updates;
  const { published, state, node } = context;
  const result = checkWrites(published, state, effectiveGrants(published, node).write, updates.value, contextLabel(published, state, node));

  return result.ok ? result : err({ ...result.error, legal: [...legal] });
};

/** An approval node's question: it freezes the effect it stands for, or the cells it shows. */
const askPerson = (context: NodeContext<"node_result">): Verdict => {
  const { published, state, proposal, node } = context;
  if (node.kind !== "approval") return reject(refuse("action_not_granted", ["request_human_input"]), node.id);
  const target = node.config.for_node === undefined ? undefined : nodeById(published, node.config.for_node);
  const reviewed = node.config.review_keys.flatMap((path) => cellsAt(state.cells, path));
  const common = { node, reason: "approval_node", prompt: node.config.prompt, reviewKeys: node.config.review_keys } as const;

  if (target?.kind === "tool") {
    const pin = published.tools.find((tool) => tool.server === target.config.server && tool.tool === target.config.tool);
    if (!pin) return reject(refuse("tool_not_granted", [node.id]), node.id);
    const args = toolArguments(target, viewOf(published.graph, state, effectiveGrants(published, target).read).value);
    const gate = openGate(proposal, {
      ...common,
      transition: effectTransition(published, state, target, pin, args, "call"),
      pending: { server: pin.server, tool: pin.tool, arguments: args },
      label: contextLabel(published, { ...state, activation: null }, target),
    });

    return accept({ ...gate, reads: readsOf(reviewed), node: node.id });
  }
  const gate = openGate(proposal, {
    ...common,
    transition: transitionOf(
      published,
      state,
      node,
      { kind: "pass", value: [...node.config.review_keys], call: String(state.activation) },
      { reads: basisOf(reviewed) },
    ),
    pending: { pass: true },
    label: joinLabels([state.controlLabel, ...reviewed.map((cell) => cell.label)]),
  });

  return accept({ ...gate, reads: readsOf(reviewed), node: node.id });
};

/** What no executor may say for its kind: that a person was asked, or that a tool has answered, when the ledger knows of neither. */
const unfitResult = ({ state, node }: NodeContext<"node_result">): RefusalCode | null => {
  if (node.kind === "approval") return "action_not_granted";
  const answered = Object.values(state.effects).some(
    ({ activation, outcome }) => activation === state.activation && (outcome === "ok" || outcome === "tool_error"),
  );

  return node.kind === "tool" && !answered ? "effect_unknown" : null;
};

export const decideNodeResult = (context: NodeContext<"node_result">): Verdict => {
  const { published, state, proposal, body, node } = context;
  const [first] = body.actions;
  if (body.actions.length === 1 && actionSchema.safeParse(first).data?.type === "request_human_input") return askPerson(context);

  const unfit = unfitResult(context);
  if (unfit) return reject(refuse(unfit, [node.id]), node.id);

  const result = checked(context, body.actions);
  if (!result.ok) return reject(result.error, node.id);
  const { writes, protectedKeys } = result.value;
  const reads = readsOf(viewOf(published.graph, state, effectiveGrants(published, node).read).cells);
  if (protectedKeys.length === 0 && (node.approval === "by_rule" || writes.length === 0 || node.kind === "tool")) {
    const completed = completeNode(published, state, proposal, node.id, writes);

    return accept({ events: completed.events, writes: [...writes, ...completed.writes], reads, node: node.id });
  }
  const updates: Json = writes.map(({ path, value }) => ({ path, value }));
  const gate = openGate(proposal, {
    node,
    reason: "protected_key",
    prompt: `${node.title || node.id} asks to change ${writes.map((write) => write.path).join(", ")}`,
    transition: transitionOf(
      published,
      state,
      node,
      { kind: "write", value: updates, call: String(state.activation) },
      {
        overwrites: overwrittenBy(
          state,
          writes.map((write) => write.path),
        ),
      },
    ),
    pending: { updates },
    label: joinLabels(writes.map((write) => write.label)),
  });

  return accept({ ...gate, reads, node: node.id });
};

/** One control action in the middle of a node's work: an update is committed at once, everything else is a refusal. */
export const decideAction = (context: NodeContext<"action">): Verdict => {
  const { published, state, body, node } = context;
  const result = checked(context, [body.action]);
  if (!result.ok) return reject(result.error, node.id);
  // A write that waits for a person cannot be made in passing; it belongs into the node's result, which opens a gate.
  const waits = node.approval === "always" && node.kind !== "tool" ? [node.id] : result.value.protectedKeys;
  if (waits.length > 0) return reject(refuse("key_protected", waits), node.id);
  const reads = readsOf(viewOf(published.graph, state, effectiveGrants(published, node).read).cells);

  return accept({ events: [], writes: result.value.writes, reads, node: node.id });
};

const asJson = (body: BodyOf<"model_call">): Json => ({
  fresh: body.fresh.map((message) => ({ ...message })) as Json,
  response: { role: "assistant", text: body.text, tool_calls: body.tool_calls.map((call) => ({ ...call })) as Json },
});

export const decideModelCall = ({ published, state, body, node }: NodeContext<"model_call">): Verdict => {
  const thread = threadPath(state);
  if (asideAt(state, thread).length !== body.step) return reject(refuse("version_conflict"), node.id);
  const label = joinLabels([contextLabel(published, state, node), source("trusted", "public", `model:${body.usage.model}`)]);

  return accept({
    events: [{ type: "model_called", node: node.id, activation: body.activation, step: body.step, usage: body.usage }],
    writes: [{ path: thread, value: asJson(body), label }],
    reads: readsOf(viewOf(published.graph, state, effectiveGrants(published, node).read).cells),
    node: node.id,
  });
};

/** Which budget a model call would overrun, if any. A budget of 0 means zero. */
export const budgetRefusal = (
  state: {
    readonly start: { max_token_budget: number | null; budget_micro_usd: number | null } | null;
    totalTokens: number;
    costMicroUsd: number;
  },
  estimate: { readonly tokens: number; readonly cost_micro_usd: number },
): RefusalCode | null => {
  const { max_token_budget: tokens = null, budget_micro_usd: cost = null } = state.start ?? {};
  if (tokens !== null && state.totalTokens + estimate.tokens > tokens) return "token_budget";

  return cost !== null && state.costMicroUsd + estimate.cost_micro_usd > cost ? "cost_budget" : null;
};

export const decideModelIntent = ({ state, body, node }: NodeContext<"model_intent">): Verdict => {
  const code = budgetRefusal(state, body);

  return code ? reject(refuse(code, [node.id]), node.id) : accept({ events: [], node: node.id });
};

export const decideFailure = ({ published, state, proposal, body, node }: NodeContext<"node_failure">): Verdict =>
  accept({
    events: failAttempt(published, state, node.id, proposal.at, {
      code: body.code,
      retryable: body.retryable,
      jitter: body.jitter,
      retryAfterMs: body.retry_after_ms,
    }),
    // What went wrong may quote anything, so it is as untrusted as whatever the node had read.
    writes: [
      {
        path: "$error",
        value: body.detail.toWellFormed(),
        label: joinLabels([contextLabel(published, state, node), source("untrusted", "internal", `node:${node.id}`)]),
      },
    ],
    node: node.id,
  });
