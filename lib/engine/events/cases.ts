import { z } from "zod";
import { idSchema, uuidSchema } from "@/lib/ids";
import { caseOutcomeSchema, caseSchema, findingSchema, verdictSchema } from "@/lib/engine/approvals/case";
import type { Put } from "@/lib/engine/copy-on-write";
import { seqSchema } from "@/lib/engine/event";
import { defineEvent, keepState, none } from "@/lib/engine/events/event-entry";
import { getNodeKey } from "@/lib/engine/frame";
import { ownEntry, type CaseState, type RunState } from "@/lib/engine/state";

export const verdictGivenSchema = z.strictObject({
  type: z.literal("verdict_given"),
  case_id: uuidSchema,
  reviewer: z.number().int().min(0).max(20),
  by: z.string().max(300),
  model: z.string().max(200).nullable(),
  verdict: verdictSchema,
  findings: z.array(findingSchema).max(100),
});

const changeCase = (state: RunState, id: string, put: Put, change: (found: CaseState) => CaseState): RunState => {
  const found = ownEntry(state.cases, id);

  return found ? { ...state, cases: put(state.cases, id, change(found)) } : state;
};

export const CASE_EVENTS = {
  case_opened: defineEvent({
    schema: z.strictObject({ type: z.literal("case_opened"), case: caseSchema }),
    about: "A review case opened.",
    reduce: (state, { case: opened }, { seq }, put) => ({
      ...state,
      cases: put(state.cases, opened.id, { case: opened, seq, key: getNodeKey(state, opened.node), status: "open", verdicts: [] }),
    }),
    weight: 4,
    isMentioned: false,
    line: ({ case: { reviewers, quorum } }) => ({
      marker: "gate",
      title: "Review case opened",
      detail: `reviewers ${reviewers.length}, quorum ${quorum}`,
    }),
    tags: () => ["gate"],
    compared: (event) => ["case", event.case.node],
    trust: ({ case: { id, node, subject, reviewers, quorum } }) => [
      {
        type: "case_opened",
        node,
        path: subject.type === "cell" ? subject.path : null,
        detail: { case: id, subject: subject.type, reviewers: reviewers.length, quorum },
      },
    ],
  }),
  verdict_given: defineEvent({
    schema: verdictGivenSchema,
    about: "A reviewer gave a verdict.",
    reduce: (state, event, _moment, put) =>
      changeCase(state, event.case_id, put, (found) => ({ ...found, verdicts: [...found.verdicts, event] })),
    weight: 6,
    isMentioned: false,
    line: ({ verdict, by }) => ({ marker: verdict === "approve" ? "approved" : "failure", title: `Verdict: ${verdict}`, detail: by }),
    tags: () => ["decision"],
    compared: ({ reviewer, verdict }) => ["verdict", reviewer, verdict],
    trust: ({ case_id: id, verdict, model, reviewer, findings, by }) => [
      { type: "verdict", path: null, principal: by, detail: { case: id, verdict, model, reviewer, findings: findings.length } },
    ],
  }),
  case_closed: defineEvent({
    schema: z.strictObject({ type: z.literal("case_closed"), case_id: uuidSchema, outcome: caseOutcomeSchema }),
    about: "A review case closed.",
    reduce: (state, { case_id: id, outcome }, _moment, put) => changeCase(state, id, put, (found) => ({ ...found, status: outcome })),
    weight: 5,
    isMentioned: false,
    line: ({ outcome }) => ({ marker: outcome === "passed" ? "approved" : "failure", title: `Review case ${outcome}`, detail: "" }),
    tags: () => ["decision"],
    compared: ({ outcome }) => ["case_closed", outcome],
    trust: ({ case_id: id, outcome }) => [{ type: "case_closed", path: null, detail: { case: id, outcome } }],
  }),
  judged: defineEvent({
    /** `case_id` null: no case concerned exactly this. */
    schema: z.strictObject({
      type: z.literal("judged"),
      node: idSchema,
      activation: seqSchema,
      case_id: uuidSchema.nullable(),
      outcome: z.enum(["approved", "rejected"]),
      rules: z.array(z.strictObject({ field: idSchema, passed: z.boolean() })).max(200),
      reason: z.enum([
        "passed",
        "no_case",
        "quorum",
        "verdict_missing",
        "not_passed",
        "no_fields",
        "rule_missing",
        "rule_doubled",
        "rule_failed",
        "malformed",
      ]),
    }),
    about: "A judge decided, rule by rule.",
    reduce: keepState,
    weight: 3,
    isMentioned: false,
    line: ({ outcome, reason }) => ({
      marker: outcome === "approved" ? "approved" : "failure",
      title: `Judged: ${outcome}`,
      detail: reason,
    }),
    tags: none,
    compared: ({ node, outcome }) => ["judged", node, outcome],
    trust: ({ node, case_id: id, outcome, reason, rules }) => {
      const failed = rules.filter(({ passed }) => !passed).map(({ field }) => field);

      return [{ type: "judged", node, path: null, detail: { case: id, outcome, reason, failed } }];
    },
  }),
};
