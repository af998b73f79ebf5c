import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { jsonSchema } from "@/lib/json";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { criteriaField, resultField } from "@/lib/graph/kinds/fields";
import { answerAtPath, noChoice, none, nothing, useJudge } from "@/lib/graph/kinds/parts";

const valueField = () => field(pathSchema, { title: "Value path", widget: "path" });

/** Checks a condition; unevaluable checks fail. */
const verifierConfigSchema = z.strictObject({
  check: field(
    z.discriminatedUnion("type", [
      field(
        z.strictObject({
          type: z.literal("expression"),
          expression: field(expressionSchema, {
            title: "Expression",
            description: "CEL over the memory it may read. Only true passes; an error fails the check.",
            widget: "expression",
            rows: 3,
            initial: (path) => `memory.${path} != null`,
          }),
        }),
        { title: "An expression is true" },
      ),
      field(
        z.strictObject({
          type: z.literal("schema"),
          key: valueField(),
          schema: field(z.record(z.string().max(200), jsonSchema), { title: "JSON Schema", widget: "schema" }),
        }),
        { title: "A value matches a JSON Schema" },
      ),
      field(
        z.strictObject({
          type: z.literal("judge"),
          agent_id: field(idSchema, { title: "Judge", widget: "agent" }),
          key: valueField(),
          criteria: criteriaField(),
          threshold: field(z.number().min(0).max(1).default(0.8), {
            title: "Passing score",
            description: "Scores range from 0 to 1.",
          }),
        }),
        { title: "A judge agent scores it high enough" },
      ),
    ]),
    { title: "Check" },
  ),
  on_fail: field(z.enum(["record", "fail"]).default("record"), {
    title: "If the check fails",
    choices: { record: "Record it and continue", fail: "Fail the node (verification_failed)" },
  }),
  write_to: resultField("Write verdict to"),
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
    check.type === "expression"
      ? { paths: [], expressions: [{ what: "checks", text: check.expression, tests: true }] }
      : { paths: [check.key] },
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
