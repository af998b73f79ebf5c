import { z } from "zod";
import { effectClassSchema } from "@/lib/graph/document";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { effectDigestSchema } from "@/lib/engine/approvals/receipt";
import { seqSchema } from "@/lib/engine/event";
import { defineEvent, none, step, type Line } from "@/lib/engine/events/event-entry";
import { changeGate } from "@/lib/engine/events/gates";
import { taskIdSchema } from "@/lib/engine/task-id";

export const effectIntendedSchema = z.strictObject({
  type: z.literal("effect_intended"),
  effect_id: uuidSchema,
  node: idSchema,
  activation: seqSchema,
  task: taskIdSchema,
  /** Attempt, task and the model's call id; one effect per call id. */
  call_id: z.string().max(220),
  /** Sent with every repetition; older records use the effect id. */
  idempotency_key: hexDigestSchema.exactOptional(),
  undoes: uuidSchema.nullable(),
  /** Enclosing subgraph nodes, outermost first. */
  frames: z.array(idSchema).max(32),
  effect: effectDigestSchema,
  effect_class: effectClassSchema,
  idempotent: z.boolean(),
  approval_id: uuidSchema.nullable(),
  case_id: uuidSchema.nullable(),
  epoch: z.number().int(),
});

export const effectSettledSchema = z.strictObject({
  type: z.literal("effect_settled"),
  effect_id: uuidSchema,
  outcome: z.enum(["ok", "tool_error", "abandoned"]),
  /** Nothing was called: a recorded or invented answer. */
  simulated: z.boolean(),
});

export const compensationPushedSchema = z.strictObject({
  type: z.literal("compensation_pushed"),
  effect_id: uuidSchema,
  node: idSchema,
  activation: seqSchema,
  /** Enclosing subgraph nodes, outermost first. */
  frames: z.array(idSchema).max(32),
  server: idSchema,
  tool: z.string().max(300),
});

export const compensationSettledSchema = z.strictObject({
  type: z.literal("compensation_settled"),
  effect_id: uuidSchema,
  outcome: z.enum(["done", "failed", "declined"]),
});

const SETTLED = { ok: "Tool call succeeded", tool_error: "Tool returned an error", abandoned: "Tool call abandoned" } as const;

const UNDONE = {
  done: { marker: "effect", title: "Rolled back", detail: "" },
  failed: { marker: "failure", title: "Rollback failed", detail: "the rollback call failed" },
  declined: { marker: "rejected", title: "Not rolled back", detail: "a person declined the rollback" },
} as const satisfies Record<z.infer<typeof compensationSettledSchema>["outcome"], Line>;

export const EFFECT_EVENTS = {
  effect_intended: defineEvent({
    schema: effectIntendedSchema,
    about: "A tool call is about to start; it is recorded before it is made.",
    reduce: (state, event, { seq, at: atMs }, put) => {
      const intended = { ...state, effects: put(state.effects, event.effect_id, { ...event, seq, atMs, outcome: null }) };

      return event.approval_id === null
        ? intended
        : changeGate(intended, event.approval_id, put, (gate) => ({ ...gate, usedBy: event.effect_id }));
    },
    weight: 8,
    isMentioned: false,
    line: ({ effect: { server, tool }, effect_class: detail, undoes }) => ({
      marker: "effect",
      title: `${undoes === null ? "Calls" : "Rolls back with"} ${server}.${tool}`,
      detail,
    }),
    tags: () => ["effect"],
    compared: ({ node, effect: { server, tool, arguments_digest: args }, approval_id: approval }) => [
      "intended",
      node,
      server,
      tool,
      args,
      approval !== null,
    ],
    trust: none,
  }),
  effect_settled: defineEvent({
    schema: effectSettledSchema,
    about: "The answer of a tool call.",
    reduce: (state, { effect_id: id, outcome }, _moment, put) => {
      const effect = state.effects[id];

      return effect ? { ...state, effects: put(state.effects, id, { ...effect, outcome }) } : state;
    },
    weight: 9,
    isMentioned: false,
    line: ({ outcome, simulated }) => ({
      marker: outcome === "ok" ? "effect" : "failure",
      title: SETTLED[outcome],
      detail: simulated ? "simulated, tool not called" : "",
    }),
    tags: ({ outcome }) => (outcome === "ok" ? ["effect"] : ["effect", "error"]),
    compared: ({ outcome }) => ["settled", outcome],
    trust: none,
  }),
  compensation_pushed: defineEvent({
    schema: compensationPushedSchema,
    about: "An effect can be undone from now on.",
    reduce: (state, { type: _type, ...undo }) => {
      const pushed = { ...undo, outcome: null };

      // Settled while unwinding: undone last, since the newest may have a gate.
      return { ...state, compensation: state.unwinding ? [pushed, ...state.compensation] : [...state.compensation, pushed] };
    },
    weight: 27,
    isMentioned: true,
    line: ({ server, tool }) => step("Can be rolled back", `with ${server}.${tool}`),
    tags: none,
    compared: ({ node, server, tool }) => ["undoable", node, server, tool],
    trust: none,
  }),
  compensation_settled: defineEvent({
    schema: compensationSettledSchema,
    about: "An undo succeeded, failed or was declined.",
    reduce: (state, { effect_id: id, outcome }) => ({
      ...state,
      compensation: state.compensation.map((undo) => (undo.effect_id === id ? { ...undo, outcome } : undo)),
    }),
    weight: 7,
    isMentioned: false,
    line: ({ outcome }) => UNDONE[outcome],
    tags: () => ["effect"],
    compared: ({ outcome }) => ["undone", outcome],
    trust: none,
  }),
};
