import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { answerAtPath, noChoice, none, nothing, useJudge } from "@/lib/graph/kinds/parts";

/** Checks a condition; unevaluable checks fail. */
const verifierConfigSchema = z.strictObject({
  check: z.discriminatedUnion("type", [
    /** Passes on exactly `true`. */
    z.strictObject({ type: z.literal("expression"), expression: expressionSchema }),
    z.strictObject({ type: z.literal("schema"), key: pathSchema, schema: z.record(z.string().max(200), jsonSchema) }),
    /** Judging agent, from 0 to 1. */
    z.strictObject({
      type: z.literal("judge"),
      agent_id: idSchema,
      key: pathSchema,
      criteria: z.string().max(4_000).default(""),
      threshold: z.number().min(0).max(1).default(0.8),
    }),
  ]),
  /** `fail`: a failed check fails the node with `verification_failed`. */
  on_fail: z.enum(["record", "fail"]).default("record"),
  /** Path of `{passed, score, reason}`. Absent: the only write key. */
  write_to: pathSchema.optional(),
});

export const verifierKind = defineKind({
  title: "Verifier",
  about: "Checks whether a condition holds",
  config: verifierConfigSchema,
  work: "proposal",
  agents: ({ check }) => (check.type === "judge" ? useJudge(check.agent_id, { path: check.key }) : []),
  tasks: ({ check }) =>
    check.type === "judge" ? [{ name: "judge", bounds: [], agentAt: () => check.agent_id, judges: true, alone: false }] : [],
  links: [],
  reads: ({ check }) =>
    check.type === "expression" ? { paths: [], expressions: [{ what: "checks", text: check.expression }] } : { paths: [check.key] },
  answer: answerAtPath,
  reports: none,
  rights: { reads: "declared", writes: "declared" },
  isolates: ({ check }) => check.type === "judge",
  proposes: "updates",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ check, on_fail }) => ({ is: { rule: { check, on_fail } } }),
});
