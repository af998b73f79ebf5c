import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { controlSchema, seqSchema, timeMsSchema } from "@/lib/engine/event";
import { defineEvent, none, skip, step } from "@/lib/engine/events/event-entry";
import { describeOutage, formatWait, OUTAGE_CAUSES } from "@/lib/engine/outage-causes";
import { getNodeKey } from "@/lib/engine/frame";
import { ownEntry, type RunState } from "@/lib/engine/state";
import { taskIdSchema } from "@/lib/engine/task-id";

/** Failures count too, so they reach the limit. */
const countVisit = (state: RunState, activation: number): RunState =>
  state.countedActivation === activation ? state : { ...state, iterationCount: state.iterationCount + 1, countedActivation: activation };

export const NODE_EVENTS = {
  node_entered: defineEvent({
    /** `edge` null: start, or configured path. */
    schema: z.strictObject({
      type: z.literal("node_entered"),
      node: idSchema,
      activation: seqSchema,
      edge: idSchema.nullable(),
      controls: z.array(controlSchema).max(10_000),
    }),
    about: "The run is at a node. `edge` null: the start, or a path that a configuration declares.",
    reduce: (state, { node, activation, controls }) => ({
      ...state,
      currentNode: node,
      activation,
      controls,
      retryCount: 0,
      retryAt: null,
      handoff: null,
      failedTasks: {},
      outage: null,
    }),
    weight: 31,
    isMentioned: true,
    line: ({ node, edge }, name) => step(`Entered ${name(node)}`, edge ?? ""),
    tags: none,
    compared: ({ node, edge }) => ["entered", node, edge],
    trust: none,
  }),
  node_completed: defineEvent({
    schema: z.strictObject({ type: z.literal("node_completed"), node: idSchema, activation: seqSchema }),
    about: "A node is done.",
    reduce: (state, { activation }) => countVisit(state, activation),
    weight: 22,
    isMentioned: false,
    line: ({ node }, name) => step(`Completed ${name(node)}`),
    tags: none,
    compared: ({ node }) => ["completed", node],
    trust: none,
  }),
  attempt_failed: defineEvent({
    schema: z.strictObject({
      type: z.literal("attempt_failed"),
      node: idSchema,
      activation: seqSchema,
      code: z.string().max(64),
      /** Earliest retry; null: none. */
      retry_at: timeMsSchema.nullable(),
    }),
    about: "An attempt of a node failed.",
    reduce: (state, { node, activation, code, retry_at: retryAt }) => ({
      ...(retryAt === null ? countVisit(state, activation) : state),
      retryCount: retryAt === null ? state.retryCount : state.retryCount + 1,
      retryAt,
      handoff: null,
      failedTasks: {},
      lastError: { node, code },
      outage: null,
    }),
    weight: 12,
    isMentioned: false,
    line: ({ code, retry_at: retryAt }) => ({
      marker: "failure",
      title: "Attempt failed",
      detail: retryAt === null ? code : `${code}; retrying`,
    }),
    tags: () => ["error"],
    compared: ({ node, code }) => ["failed", node, code],
    trust: none,
  }),
  outage_waited: defineEvent({
    schema: z.strictObject({
      type: z.literal("outage_waited"),
      node: idSchema,
      activation: seqSchema,
      /** Before the colon of its models. */
      provider: z.string().max(100),
      cause: z.enum(OUTAGE_CAUSES),
      retry_at: timeMsSchema,
      wait_ms: z.number().int().min(0),
    }),
    about: "A model's provider is down or asks to wait, so the attempt waits. It does not count as failed.",
    reduce: (state, { provider, cause, retry_at: retryAt }, { at }) => ({
      ...state,
      retryAt,
      outage: { provider, cause, since: state.outage?.since ?? at, tries: (state.outage?.tries ?? 0) + 1 },
    }),
    weight: 12.5,
    isMentioned: false,
    line: ({ provider, cause, wait_ms: waitMs }) => ({
      marker: "failure",
      title: describeOutage({ provider, cause }),
      detail: `next attempt in ${formatWait(waitMs)}`,
    }),
    tags: () => ["error"],
    compared: skip,
    trust: none,
  }),
  task_failed: defineEvent({
    schema: z.strictObject({
      type: z.literal("task_failed"),
      node: idSchema,
      activation: seqSchema,
      task: taskIdSchema,
      code: z.string().max(64),
    }),
    about: "One task of a node failed; the others go on.",
    reduce: (state, { task, code }) => ({ ...state, failedTasks: { ...state.failedTasks, [task]: code } }),
    weight: 13,
    isMentioned: false,
    line: ({ task, code }) => ({ marker: "failure", title: "Task failed", detail: `${task}: ${code}` }),
    tags: () => ["error"],
    compared: ({ node, code }) => ["failed", node, code],
    trust: none,
  }),
  handed_off: defineEvent({
    schema: z.strictObject({ type: z.literal("handed_off"), node: idSchema, activation: seqSchema, to: idSchema }),
    about: "An agent handed the run to a peer.",
    reduce: (state, { to }) => ({ ...state, handoff: to, handoffs: state.handoffs + 1 }),
    weight: 20,
    isMentioned: true,
    line: ({ to }, name) => step(`Handed off to ${name(to)}`),
    tags: none,
    compared: ({ node, to }) => ["chose", node, to],
    trust: none,
  }),
  supervisor_chose: defineEvent({
    schema: z.strictObject({ type: z.literal("supervisor_chose"), node: idSchema, activation: seqSchema, to: idSchema.nullable() }),
    about: "A supervisor chose the next node. `to` null: the work is done.",
    reduce: (state, { node }) => {
      const key = getNodeKey(state, node);

      return { ...state, choices: { ...state.choices, [key]: (ownEntry(state.choices, key) ?? 0) + 1 } };
    },
    weight: 19,
    isMentioned: false,
    line: ({ node, to }, name) => (to === null ? step("Work finished", `according to ${name(node)}`) : step(`Chose ${name(to)}`)),
    tags: none,
    compared: ({ node, to }) => ["chose", node, to],
    trust: none,
  }),
};
