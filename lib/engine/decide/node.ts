import type { GraphNode } from "@/lib/graph/document";
import { extractPath, findFormFaults } from "@/lib/graph/extract-form";
import { asksPerson, callsTool, fillsForm, getKind, judgesCase, opensCase, runsGraph, waits } from "@/lib/graph/kind-of";
import { toPlainJson } from "@/lib/json";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { actionSchema, type Action } from "@/lib/engine/outside/action";
import { getCaseTask, openCasesHere, listSilentModels } from "@/lib/engine/approvals/cases";
import { askPerson } from "@/lib/engine/decide/ask";
import { advance } from "@/lib/engine/decide/case-any";
import { checkChosenControls, handOff } from "@/lib/engine/decide/choice";
import { failAttempt } from "@/lib/engine/decide/complete";
import type { DecideContext } from "@/lib/engine/decide/context";
import { errorCell } from "@/lib/engine/decide/error-cell";
import { collectFacts } from "@/lib/engine/decide/facts";
import { finish } from "@/lib/engine/decide/finish";
import { decideJudge } from "@/lib/engine/decide/judge";
import { descend } from "@/lib/engine/decide/subgraph";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { openWait } from "@/lib/engine/decide/wait";
import { checkWrites, type CheckedWrites } from "@/lib/engine/decide/writes";
import type { Cell } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { getContextLabel, getEffectiveGrants, listInfluences } from "@/lib/engine/view";

type NodeContext<K extends "node_result" | "action" | "node_failure" | "task_failure"> = DecideContext<K> & { readonly node: GraphNode };

const legalWrites = (context: NodeContext<"node_result" | "action">) =>
  getEffectiveGrants(context.published, context.node).write.map((path) => `write:${path}`);

type Parsed = {
  readonly updates: readonly { path: string; value: unknown }[];
  readonly controls: readonly Exclude<Action, { type: "update_memory" | "merge_parallel_results" }>[];
};

const parseActions = (context: NodeContext<"node_result" | "action">, actions: readonly unknown[]): Result<Parsed, Refusal> => {
  const updates: { path: string; value: unknown }[] = [];
  const controls: Parsed["controls"][number][] = [];
  for (const candidate of actions) {
    const { data: action } = actionSchema.safeParse(candidate);
    if (!action) return err(refuse("action_unknown", [], legalWrites(context)));
    if (action.type === "merge_parallel_results" && getKind(context.node).proposes !== "merges")
      return err(refuse("action_not_granted", [action.type], legalWrites(context)));
    if (action.type === "update_memory" || action.type === "merge_parallel_results") updates.push(...action.updates);
    else controls.push(action);
  }

  return ok({ updates, controls });
};

const FORM_LIMITS = { maxBytes: 16 * 1_048_576, maxDepth: 4 };

const NO_WRITES: CheckedWrites = { writes: [], protectedKeys: [] };

const checked = (
  context: NodeContext<"node_result" | "action">,
  updates: Parsed["updates"],
  influencing: readonly Cell[],
): Result<CheckedWrites, Refusal> => {
  if (updates.length === 0) return ok(NO_WRITES);
  const { published, state, node } = context;
  const label = getContextLabel(published, state, node, "", influencing);
  const result = checkWrites(published, state, getEffectiveGrants(published, node).write, updates, label);

  return result.ok ? result : err({ ...result.error, legal: [...legalWrites(context)] });
};

const misfilled = ({ node }: NodeContext<"node_result">, { updates, controls }: Parsed): Refusal | null => {
  if (!fillsForm(node)) return null;
  const [update, more] = updates;
  if (!update || more || controls.length > 0 || update.path !== extractPath(node)) return refuse("action_not_granted", [node.id]);
  const plain = toPlainJson(update.value, FORM_LIMITS);
  const fault = plain.ok ? findFormFaults(node.config.fields, plain.value) : [];

  return fault && refuse("value_invalid", fault);
};

const unfit = ({ state, node, body }: NodeContext<"node_result" | "action">): RefusalCode | null => {
  if (asksPerson(node) || waits(node)) return "action_not_granted";
  const says = body.kind === "action" || body.actions.length > 0;
  if (getKind(node).proposes === "nothing" && says) return "action_not_granted";
  // Cases close themselves; isolated nodes speak once, at the end.
  if (opensCase(node) || (fillsForm(node) && body.kind === "action")) return "action_not_granted";
  const answered = Object.values(state.effects).some(
    ({ activation, outcome }) => activation === state.activation && (outcome === "ok" || outcome === "tool_error"),
  );

  return callsTool(node) && !answered ? "effect_unknown" : null;
};

export const decideNodeResult = (context: NodeContext<"node_result">): Verdict => {
  const { published, state, proposal, body, node } = context;
  if (waits(node)) return openWait({ ...context, node });
  const [first] = body.actions;
  if (body.actions.length === 1 && actionSchema.safeParse(first).data?.type === "request_human_input") {
    return asksPerson(node)
      ? askPerson({ published, state, proposal, node })
      : reject(refuse("action_not_granted", ["request_human_input"]), node.id);
  }
  const code = unfit(context);
  if (code) return reject(refuse(code, [node.id]), node.id);
  const parsed = parseActions(context, body.actions);
  if (!parsed.ok) return reject(parsed.error, node.id);
  const misfit = misfilled(context, parsed.value);
  if (misfit) return reject(misfit, node.id);
  if (judgesCase(node)) return decideJudge({ published, state, proposal, node });
  const chosen = checkChosenControls(published, state, node, parsed.value.controls);
  if (!chosen.ok) return reject(chosen.error, node.id);
  const influencing = listInfluences(published, state, node);
  const writes = checked(context, parsed.value.updates, influencing);
  if (!writes.ok) return reject(writes.error, node.id);
  if (runsGraph(node)) return descend({ ...context, node });

  const kept = collectFacts(node, writes.value);
  if (!kept.ok) return reject(kept.error, node.id);
  const finished = finish({ published, state, proposal, node, choice: chosen.value.choice, kept: kept.value }, writes.value);

  return accept({
    events: [...chosen.value.events, ...finished.events],
    writes: [...finished.writes, ...chosen.value.writes],
    reads: listReads(influencing),
    node: node.id,
  });
};

export const decideAction = (context: NodeContext<"action">): Verdict => {
  const { published, state, body, node } = context;
  const fault = unfit(context);
  if (fault) return reject(refuse(fault, [node.id]), node.id);
  const parsed = parseActions(context, [body.action]);
  if (!parsed.ok) return reject(parsed.error, node.id);
  const influencing = listInfluences(published, state, node);
  const reads = listReads(influencing);
  const [control] = parsed.value.controls;
  if (control?.type === "handoff") {
    const handed = handOff(published, state, node, control);

    return handed.ok ? accept({ ...handed.value, reads, node: node.id }) : reject(handed.error, node.id);
  }
  if (control) {
    const code: RefusalCode = control.type === "resume_from_human" ? "principal_not_allowed" : "action_not_granted";

    return reject(refuse(code, [control.type], legalWrites(context)), node.id);
  }
  const result = checked(context, parsed.value.updates, influencing);
  if (!result.ok) return reject(result.error, node.id);
  // Writes that need approval belong in the result, which opens a gate.
  const held = node.approval !== "by_rule" && !callsTool(node) ? [node.id] : result.value.protectedKeys;
  if (held.length > 0) return reject(refuse("key_protected", held), node.id);

  return accept({ events: [], writes: result.value.writes, reads, node: node.id });
};

export const decideTaskFailure = ({ published, state, proposal, body, node }: NodeContext<"task_failure">): Verdict => {
  if (body.task === "" || !findTask(published, state, node, body.task)) return reject(refuse("task_unknown", [node.id]), node.id);
  if (Object.hasOwn(state.failedTasks, body.task)) return reject(refuse("version_conflict", [node.id]), node.id);

  const failed = { type: "task_failed", node: node.id, activation: body.activation, task: body.task, code: body.code } as const;
  const found = openCasesHere(state).find((open) =>
    listSilentModels(state, open).some((index) => getCaseTask(state, open, index) === body.task),
  );
  const failedTasks = { ...state.failedTasks, [body.task]: body.code };
  // A failed reviewer must not block the case.
  const then = found ? advance({ published, state: { ...state, failedTasks }, proposal, node }, found) : { events: [], writes: [] };

  return accept({
    events: [failed, ...then.events],
    writes: [errorCell(published, state, node, body.task, body.detail), ...then.writes],
    node: node.id,
  });
};

export const decideFailure = ({ published, state, proposal, body, node }: NodeContext<"node_failure">): Verdict => {
  const failed = failAttempt(published, state, proposal, node.id, {
    code: body.code,
    retryable: body.retryable,
    jitter: body.jitter,
    retryAfterMs: body.retry_after_ms,
  });

  return accept({
    events: failed.events,
    writes: [...failed.writes, errorCell(published, state, node, "", body.detail)],
    reads: listReads(listInfluences(published, state, node)),
    node: node.id,
  });
};
