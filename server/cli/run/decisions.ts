import { z } from "zod";
import type { GateState } from "@/lib/engine/state";

export const decisionsSchema = z
  .array(
    z.strictObject({
      decision: z.enum(["approve", "reject"]),
      reason: z.string().max(2_000).optional(),
      by: z.string().min(1).max(120).optional(),
    }),
  )
  .max(10_000);
export type ScriptedDecision = z.infer<typeof decisionsSchema>[number];

/** Starts the run, so cannot decide in it. */
export const STARTER = "starter";
const REVIEWER = "reviewer";
const LARGEST_QUORUM = 10;

const ANYBODY = Array.from({ length: LARGEST_QUORUM }, (_, index) => (index === 0 ? REVIEWER : `${REVIEWER}-${index + 1}`));

export const listReviewers = (decisions: readonly ScriptedDecision[]): readonly string[] => {
  const named = decisions.flatMap(({ by }) => (by === undefined || by === STARTER ? [] : [by]));

  return [...new Set([...ANYBODY, ...named])];
};

/** Picks the named reviewer, else the first without a decision. @param ids by name */
export const pickDecider = (decision: ScriptedDecision, gate: GateState, ids: ReadonlyMap<string, string>): string => {
  const decided = new Set(gate.decisions.map(({ user }) => user));
  const name = decision.by ?? ANYBODY.find((reviewer) => !decided.has(ids.get(reviewer) ?? "")) ?? REVIEWER;

  return ids.get(name) ?? "";
};
