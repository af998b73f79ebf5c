import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { seqSchema } from "@/lib/engine/event";
import { defineEvent, DIGEST_SHOWN, none, skip, step, type Moment } from "@/lib/engine/events/event-entry";
import { enterFrame, leaveFrame } from "@/lib/engine/frame";
import { computeWorkedMs } from "@/lib/engine/limits";
import type { Frame, RunState } from "@/lib/engine/state";

/** These limits apply besides the run's. */
export const frameEnteredSchema = z.strictObject({
  type: z.literal("frame_entered"),
  node: idSchema,
  activation: seqSchema,
  version: hexDigestSchema,
  max_iterations: z.number().int(),
  max_execution_time_ms: z.number().int(),
  max_token_budget: z.number().int().nullable(),
  budget_micro_usd: z.number().int().nullable(),
});

export const frameEndedSchema = z.strictObject({
  type: z.literal("frame_ended"),
  outcome: z.enum(["completed", "failed"]),
  code: z.string().max(64).nullable(),
});

const frameOf = (state: RunState, event: z.infer<typeof frameEnteredSchema>, { at }: Moment): Omit<Frame, "outer"> => {
  const { type: _type, node, activation, version, ...limits } = event;

  return {
    node,
    activation,
    version,
    limits,
    entered: {
      iterations: state.iterationCount,
      workedMs: computeWorkedMs(state, at),
      tokens: state.totalTokens,
      costMicroUsd: state.costMicroUsd,
    },
  };
};

export const FRAME_EVENTS = {
  frame_entered: defineEvent({
    schema: frameEnteredSchema,
    about: "The run entered a subgraph, with the subgraph's limits.",
    reduce: (state, event, moment) => enterFrame(state, frameOf(state, event, moment)),
    weight: 15,
    isMentioned: false,
    line: ({ node, version }, name) => step(`Entered subgraph ${name(node)}`, `version ${version.slice(0, DIGEST_SHOWN)}`),
    tags: none,
    compared: ({ node, version }) => ["frame", node, version],
    trust: none,
  }),
  frame_ended: defineEvent({
    schema: frameEndedSchema,
    about: "A subgraph ended.",
    reduce: (state, { outcome, code }) => ({
      ...state,
      frameEnd: { outcome, code },
      currentNode: null,
      activation: null,
      retryAt: null,
    }),
    weight: 16,
    isMentioned: false,
    line: ({ outcome, code }) =>
      outcome === "completed" ? step("Subgraph completed") : { marker: "failure", title: "Subgraph failed", detail: code ?? "" },
    tags: none,
    compared: ({ outcome, code }) => ["frame", outcome, code],
    trust: none,
  }),
  frame_left: defineEvent({
    schema: z.strictObject({ type: z.literal("frame_left") }),
    about: "The run is back in the outer graph.",
    reduce: leaveFrame,
    weight: 17,
    isMentioned: true,
    line: () => step("Returned to the parent graph"),
    tags: none,
    compared: skip,
    trust: none,
  }),
};
