/** Tool arguments, with Theodosia's names for its clients. */
import { z } from "zod";
import { sessionArgument } from "./tool";

const inputs = z.json().optional().describe("The action's inputs as an object, or as the JSON text of one. See next_action_schemas.");

const action = z.string().min(1).max(300);
const sequence = z.number().int().min(-1).max(10_000_000);

export const stepArguments = z.strictObject({
  action: action.describe("The action to take; one of valid_next_actions."),
  inputs,
  session: sessionArgument,
  expected_seq: z.number().int().min(0).max(10_000_000).nullish().describe("Refuse unless the run has exactly so many records."),
  idempotency_key: z.string().min(1).max(200).nullish().describe("The same key again is answered with what came of the first call."),
});

export const requestArguments = z.strictObject({
  action: action.describe("The action that a person should allow."),
  inputs,
  session: sessionArgument,
  reason: z.string().max(2_000).nullish().describe("For the person who decides."),
  idempotency_key: z.string().min(1).max(200).nullish(),
});

export const sessionArguments = z.strictObject({ session: sessionArgument });

export const forkArguments = z.strictObject({
  sequence_id: sequence.nullish().describe("The entry of the history to go back to."),
  seq: sequence.nullish().describe("Another name for sequence_id."),
  session: sessionArgument,
  effects: z.enum(["simulate", "live"]).default("simulate").describe("simulate: nothing is called, recorded results are the answer."),
});

export const pastForkArguments = z.strictObject({
  app_id: z.string().max(100).describe("A run of this token, by its app_id."),
  sequence_id: sequence.default(-1).describe("The entry of its history to go back to; -1: the last one."),
  partition_key: z.string().max(100).default("").describe("The workspace; may be left out."),
  session: sessionArgument,
  effects: z.enum(["simulate", "live"]).default("simulate"),
});

export const resourceArguments = z.strictObject({ uri: z.string().min(1).max(500), session: sessionArgument });
