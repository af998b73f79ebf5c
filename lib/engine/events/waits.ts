import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { seqSchema, timeMsSchema } from "@/lib/engine/event";
import { defineEvent, none, step } from "@/lib/engine/events/event-entry";

export const waitOpenedSchema = z.strictObject({
  type: z.literal("wait_opened"),
  wait_id: uuidSchema,
  node: idSchema,
  activation: seqSchema,
  until: timeMsSchema,
  /** A program may answer until then. */
  answerable: z.boolean(),
});

const ENDED = { due: "Wait is over", answered: "Wait answered", expired: "Wait timed out" } as const;

export const WAIT_EVENTS = {
  wait_opened: defineEvent({
    schema: waitOpenedSchema,
    about: "The run waits for a time, or until then for the answer of a program.",
    reduce: (state, { type: _type, ...wait }) => ({ ...state, wait: { ...wait, tokenHash: null } }),
    weight: 12.6,
    isMentioned: false,
    line: ({ node, until, answerable }, name) =>
      step(
        answerable ? `${name(node)} waits for an answer` : `${name(node)} waits`,
        `until ${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      ),
    tags: none,
    compared: ({ node, answerable }) => ["waits", node, answerable],
    trust: none,
  }),
  wait_token_taken: defineEvent({
    schema: z.strictObject({ type: z.literal("wait_token_taken"), wait_id: uuidSchema, token_hash: hexDigestSchema }),
    about: "The one-time token of a wait was handed out. Only its hash is stored.",
    reduce: (state, { wait_id: id, token_hash: tokenHash }) =>
      state.wait?.wait_id === id ? { ...state, wait: { ...state.wait, tokenHash } } : state,
    weight: 33.5,
    isMentioned: false,
    line: () => step("Token for an answer handed out"),
    tags: none,
    compared: () => ["token"],
    trust: none,
  }),
  wait_ended: defineEvent({
    schema: z.strictObject({ type: z.literal("wait_ended"), wait_id: uuidSchema, outcome: z.enum(["due", "answered", "expired"]) }),
    about: "A wait is over: its time came, a program answered, or none did in time.",
    reduce: (state, { wait_id: id }) => (state.wait?.wait_id === id ? { ...state, wait: null } : state),
    weight: 11.5,
    isMentioned: false,
    line: ({ outcome }) => step(ENDED[outcome]),
    tags: none,
    compared: ({ outcome }) => ["waited", outcome],
    trust: none,
  }),
};
