import { z } from "zod";
import { labelSchema } from "@/lib/graph/label";
import { idSchema, uuidSchema } from "@/lib/ids";
import { defineEvent, keepState, none, step } from "@/lib/engine/events/event-entry";
import type { RunState } from "@/lib/engine/state";

/** `failed`: memory was restored. */
export const actionAwaitedSchema = z.strictObject({
  type: z.literal("action_awaited"),
  after: idSchema.nullable(),
  actions: z.array(z.strictObject({ node: idSchema, edge: idSchema.nullable() })).max(10_000),
  /** Of whatever determined the actions. */
  label: labelSchema,
  cause: z.enum(["started", "completed", "failed", "declined"]),
});

/** A failed action's cost and effects stay on record. */
const awaitAction = (state: RunState, event: z.infer<typeof actionAwaitedSchema>, at: number): RunState => {
  const { after, actions, label, cause } = event;
  const { position } = state;
  const cells = cause === "failed" && position ? position.cells : state.cells;
  // Failed actions leave no control influence.
  const controls = cause === "failed" && position?.after === after ? position.controls : state.controls;

  return {
    ...state,
    cells,
    controls,
    position: { after, actions, label, since: at, cells, controls },
    currentNode: null,
    activation: null,
    retryAt: null,
  };
};

export const OUTSIDE_EVENTS = {
  action_awaited: defineEvent({
    schema: actionAwaitedSchema,
    about: "The run waits for an outside agent to take one of these actions.",
    reduce: (state, event, { at }) => awaitAction(state, event, at),
    weight: 29,
    isMentioned: false,
    line: ({ cause, actions }, name) =>
      step(
        cause === "failed" ? "Action failed; run stays at the previous step" : "Waiting for an agent to take an action",
        actions.map(({ node }) => name(node)).join(", "),
      ),
    tags: none,
    compared: ({ after, cause, actions }) => ["awaits", after, cause, ...actions.map(({ node }) => node)],
    trust: none,
  }),
  action_chosen: defineEvent({
    schema: z.strictObject({
      type: z.literal("action_chosen"),
      action: idSchema,
      inputs: z.array(idSchema).max(50),
      token: uuidSchema,
      session: uuidSchema,
    }),
    about: "An outside agent took an action.",
    reduce: keepState,
    weight: 21,
    isMentioned: false,
    line: ({ action, inputs }, name) => step(`Agent took ${name(action)}`, inputs.join(", ")),
    tags: none,
    compared: ({ action, inputs }) => ["action", action, ...inputs],
    trust: ({ action, token, session }) => [
      { type: "token_step", node: action, path: null, principal: `token:${token}`, detail: { session } },
    ],
  }),
};
