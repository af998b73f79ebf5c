/** A run in the usual fields of workflow engines. */
import { z } from "zod";
import type { PublishedGraph } from "@/lib/graph/document";
import { isJsonObject, jsonSchema, type Json } from "@/lib/json";
import { RUN_STATUSES, gateReasonSchema } from "@/lib/engine/event";
import { describeEndReason, isErrorReason } from "@/lib/engine/end-reasons";
import { findIdleUntil } from "@/lib/engine/limits";
import { getNodeKey, getPublishedHere, trackPlaces, type Place } from "@/lib/engine/frame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { findAside, findOpenWait, heldBy, getKnownValue, toMemory, type Cell, type RunState } from "@/lib/engine/state";

const MICRO = 1_000_000;
const DEFAULT_RETRIES = 3;
const MOST_ERROR = 20_000;

const count = z.number().int().min(0);
const time = z.iso.datetime();
const text = z.string().max(MOST_ERROR);
const nodeName = z.string().max(2_200);

const waitingForSchema = z.enum([
  "human_approval",
  "action",
  "answer",
  "time",
  "tool",
  ...gateReasonSchema.exclude(["approval_node"]).options,
]);

const compensationEntrySchema = z.strictObject({
  action_id: z.uuid(),
  /** `type`: `server.tool`; `payload`: arguments, null if hidden. */
  compensation_action: z.strictObject({ type: z.string().max(400), payload: jsonSchema }),
});

export const workflowStateSchema = z.strictObject({
  workflow_id: z.string().max(64),
  run_id: z.uuid(),
  goal: text,
  constraints: z.array(z.string().max(2_000)).max(50),
  status: z.enum(RUN_STATUSES),
  /** `outer/inner` in a subgraph. */
  current_node: nodeName.nullable(),
  iteration_count: count,
  max_iterations: count,
  started_at: time.nullable(),
  max_execution_time_ms: count,
  retry_count: count,
  max_retries: count,
  last_error: text.nullable(),
  /** Newest last; undone first. */
  compensation_stack: z.array(compensationEntrySchema).max(100_000),
  waiting_for: waitingForSchema.nullable(),
  waiting_since: time.nullable(),
  waiting_timeout_at: time.nullable(),
  total_tokens_used: count,
  max_token_budget: count.nullable(),
  total_cost_usd: z.number().min(0),
  budget_usd: z.number().min(0).nullable(),
  memory: z.record(z.string().max(64), jsonSchema),
  visited_nodes: z.array(z.string().max(64)).max(1_000_000),
  supervisor_history: z
    .array(z.strictObject({ supervisor: z.string().max(64), chosen: z.string().max(64).nullable(), at: time }))
    .max(1_000_000),
  created_at: time,
  updated_at: time,
});
export type WorkflowState = z.infer<typeof workflowStateSchema>;

const isoTime = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const newest = (state: RunState, path: string): Json | undefined => getKnownValue(findAside(state, path).at(-1));

const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

export type RunError = {
  /** Null: no node's reason. */
  readonly node: string | null;
  readonly code: string;
  /** Empty if none or hidden. */
  readonly message: string;
};

/** Returns why the run ended, else the last failed attempt, or null. */
export const findLastError = (state: RunState): RunError | null => {
  const { lastError, endReason } = state;
  if (endReason !== null && endReason !== lastError?.code) {
    if (isErrorReason(endReason)) return { node: null, code: endReason, message: describeEndReason(endReason) ?? "" };
  }
  if (!lastError) return null;
  const words = newest(state, "$error");
  const said = isJsonObject(words) ? (words["message"] ?? words["detail"]) : words;

  return { ...lastError, message: typeof said === "string" ? said : "" };
};

const formatError = ({ code, message }: RunError): string => (message === "" ? code : `${code}: ${message}`).slice(0, MOST_ERROR);

/** Of the current node, else of the last node of the outermost graph. */
const maxRetries = (published: PublishedGraph, records: readonly LedgerRecord[], state: RunState): number => {
  const id = state.currentNode ?? lastOutermost(records);
  const node = getPublishedHere(published, state).graph.nodes.find((candidate) => candidate.id === id);

  return node ? node.failure_policy.attempts - 1 : DEFAULT_RETRIES;
};

const lastOutermost = (records: readonly LedgerRecord[]): string | null => {
  let places: readonly Place[] = [];
  let last: string | null = null;
  for (const event of records.flatMap(({ control }) => control)) {
    if (event.type === "node_entered" && places.length === 0) last = event.node;
    places = trackPlaces(places, event);
  }

  return last;
};

const waiting = (
  published: PublishedGraph,
  state: RunState,
): Pick<WorkflowState, "waiting_for" | "waiting_since" | "waiting_timeout_at"> => {
  const open = Object.values(state.gates).find((gate) => gate.status === "open");
  const until = findIdleUntil(published, state);
  if (!open && until !== null) {
    return { waiting_for: "action", waiting_since: isoOrNull(state.waitingSince), waiting_timeout_at: isoTime(until) };
  }
  const wait = findOpenWait(state);
  if (wait) {
    return {
      waiting_for: wait.answerable ? "answer" : "time",
      waiting_since: isoOrNull(state.waitingSince),
      waiting_timeout_at: isoTime(wait.until),
    };
  }
  const held = heldBy(state);
  if (held) {
    return { waiting_for: "tool", waiting_since: isoOrNull(state.waitingSince), waiting_timeout_at: isoTime(held.gate.expires_at) };
  }
  if (state.status !== "waiting" || !open) return { waiting_for: null, waiting_since: null, waiting_timeout_at: null };
  const { reason, expires_at: expiresAt } = open.gate;

  return {
    waiting_for: reason === "approval_node" ? "human_approval" : reason,
    waiting_since: isoOrNull(state.waitingSince),
    waiting_timeout_at: isoTime(expiresAt),
  };
};

const compensationStack = (state: RunState): WorkflowState["compensation_stack"] =>
  state.compensation
    .filter((undo) => undo.outcome === null)
    .map((undo) => ({
      action_id: undo.effect_id,
      compensation_action: { type: `${undo.server}.${undo.tool}`, payload: newest(state, `$undo.${undo.effect_id}`) ?? null },
    }));

const ownCells = (state: RunState): readonly Cell[] => state.frames[0]?.outer.cells ?? state.cells;

const limits = (published: PublishedGraph, state: RunState) => {
  const { graph } = published;
  const { start } = state;
  const budget = start ? start.budget_micro_usd : graph.budget_usd === undefined ? null : Math.floor(graph.budget_usd * MICRO);

  return {
    max_iterations: start?.max_iterations ?? graph.max_iterations,
    max_execution_time_ms: start?.max_execution_time_ms ?? graph.max_execution_time_ms,
    max_token_budget: start ? start.max_token_budget : (graph.max_token_budget ?? null),
    budget_usd: budget === null ? null : budget / MICRO,
  };
};

const visited = (records: readonly LedgerRecord[]): string[] =>
  records.flatMap((record) => record.control.flatMap((event) => (event.type === "node_entered" ? [event.node] : [])));

const choices = (records: readonly LedgerRecord[]): WorkflowState["supervisor_history"] =>
  records.flatMap((record) =>
    record.control.flatMap((event) =>
      event.type === "supervisor_chose" ? [{ supervisor: event.node, chosen: event.to, at: isoTime(record.at) }] : [],
    ),
  );

/**
 * Builds the document.
 * @param records oldest first
 * @param at ms since 1970
 */
export const buildWorkflowState = (
  published: PublishedGraph,
  records: readonly LedgerRecord[],
  state: RunState,
  at: number,
): WorkflowState => {
  const goal = newest(state, "$goal");
  const error = findLastError(state);

  return {
    workflow_id: published.graph.id,
    run_id: state.run,
    goal: typeof goal === "string" ? goal : "",
    constraints: textsOf(newest(state, "$constraints")),
    status: state.status,
    current_node: state.currentNode === null ? null : getNodeKey(state, state.currentNode),
    iteration_count: state.iterationCount,
    ...limits(published, state),
    started_at: isoOrNull(state.startedAt),
    retry_count: state.retryCount,
    max_retries: maxRetries(published, records, state),
    last_error: error && formatError(error),
    compensation_stack: compensationStack(state),
    ...waiting(published, state),
    total_tokens_used: state.totalTokens,
    total_cost_usd: state.costMicroUsd / MICRO,
    memory: { ...toMemory(ownCells(state)) },
    visited_nodes: visited(records),
    supervisor_history: choices(records),
    created_at: isoTime(records[0]?.at ?? at),
    updated_at: isoTime(records.at(-1)?.at ?? at),
  };
};
