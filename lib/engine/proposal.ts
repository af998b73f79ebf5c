/** `decide` parses `unknown` fields, so bad ones are refusals. */
import { z } from "zod";
import type { Rule } from "@/lib/approval-rules/rule";
import { jsonSchema, type Json } from "@/lib/json";
import { hexDigestSchema } from "@/lib/hash";
import type { RunEnvironment } from "@/lib/environments/variables";
import { idSchema, uuidSchema } from "@/lib/ids";
import type { Seat } from "@/lib/people/approvers";
import { labelSchema, type Label } from "@/lib/graph/label";
import { assertionSchema, type Passkey } from "@/lib/engine/approvals/assertion";
import { findingSchema, openingPurposeSchema } from "@/lib/engine/approvals/case";
import type { KnownHistory } from "@/lib/engine/approvals/history";
import { editedSchema } from "@/lib/engine/approvals/edited-form";
import { decisionSchema, type Via } from "@/lib/engine/event";
import { forkChangeSchema, forkEffectsSchema } from "@/lib/engine/forks/fork-change";
import { OUTAGE_CAUSES } from "@/lib/engine/outage-causes";
import { MAX_SUMMARY_CHARACTERS, compactionSchema } from "@/lib/engine/compaction";
import { principalSchema } from "@/lib/engine/principal";
import { taskIdSchema } from "@/lib/engine/task-id";
import { inputAnswersSchema, inputStateSchema } from "@/lib/engine/approvals/tool-input";
import { viewingSchema } from "@/lib/engine/approvals/viewing";
import { MOST_CALLS, reasoningSchema, threadMessageSchema, toolCallSchema } from "@/lib/engine/thread";
import type { RefusalCode } from "@/lib/refusal";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import { usageSchema } from "@/lib/engine/usage";

const activation = z.number().int().min(0);
const task = taskIdSchema.optional();

export const MOST_MENTIONS = 10;

/** Our words, not the agent's. */
const DENIED_READS = ["session", "run", "graph", "token", "resource", "request"] as const;

export const commandBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("start"),
    graph_hash: hexDigestSchema,
    goal: z.string().max(20_000),
    constraints: z.array(z.string().max(2_000)).max(50),
    inputs: jsonSchema,
    model: z.string().min(1).max(200),
    limits: runLimitsSchema.optional(),
    /** Absent: the last one. */
    environment: idSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal("decision"),
    approval_id: uuidSchema,
    transition_digest: hexDigestSchema,
    view_digest: hexDigestSchema,
    decision: decisionSchema,
    reason: z.string().max(2_000).optional(),
    findings: z.array(findingSchema).max(100).optional(),
    nonce: uuidSchema,
    assertion: assertionSchema.optional(),
    answers: inputAnswersSchema.optional(),
    /** Of approvals on a page; absent over the API. */
    viewing: viewingSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal("comment"),
    /** Absent: about the run. */
    approval_id: uuidSchema.exactOptional(),
    text: z.string().min(1).max(2_000),
    mentions: z.array(uuidSchema).min(1).max(MOST_MENTIONS).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal("edit"),
    approval_id: uuidSchema,
    transition_digest: hexDigestSchema,
    nonce: uuidSchema,
    change: editedSchema,
    reason: z.string().max(2_000).optional(),
  }),
  z.strictObject({ kind: z.literal("cancel"), reason: z.string().max(2_000).optional() }),
  z.strictObject({ kind: z.literal("retry_now") }),
  z.strictObject({ kind: z.literal("take_wait_token"), token_hash: hexDigestSchema }),
  /** Programs show the token; a person names the wait on screen. `decide` validates `value`. */
  z.strictObject({
    kind: z.literal("answer_wait"),
    token: z.string().max(100).exactOptional(),
    wait_id: uuidSchema.exactOptional(),
    value: jsonSchema,
  }),
  z.strictObject({
    kind: z.literal("fork"),
    run: uuidSchema,
    parent_run: uuidSchema,
    /** First record that differs from the parent. */
    parent_seq: z.number().int().min(0),
    change: forkChangeSchema,
    effects: forkEffectsSchema,
  }),
  /** `decide` validates `inputs`, so refusals are recorded. */
  z.strictObject({
    kind: z.literal("step"),
    action: z.string().max(300),
    inputs: jsonSchema,
    expected_seq: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    kind: z.literal("request_approval"),
    action: z.string().max(300),
    inputs: jsonSchema,
    reason: z.string().max(2_000).optional(),
  }),
  z.strictObject({ kind: z.literal("read"), what: z.enum(DENIED_READS) }),
  z.strictObject({
    kind: z.literal("open_cell"),
    seq: z.number().int().min(0),
    index: z.number().int().min(0),
    purpose: openingPurposeSchema,
    file: hexDigestSchema.optional(),
    case_id: uuidSchema.optional(),
    reason: z.string().max(2_000).optional(),
  }),
]);
export type CommandBody = z.infer<typeof commandBodySchema>;

const availabilitySchema = z.enum(["ok", "unavailable", "drifted", "not_allowed"]);

export const workBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("begin") }),
  z.strictObject({ kind: z.literal("node_result"), activation, actions: z.array(z.unknown()).max(200) }),
  z.strictObject({
    kind: z.literal("node_failure"),
    activation,
    code: z.string().max(64),
    retryable: z.boolean(),
    detail: z.string().max(10_000),
    /** In [0, 1); spreads retries. */
    jitter: z.number().min(0).max(1),
    /** From Retry-After; minimum delay of the next attempt. */
    retry_after_ms: z.number().int().min(0).nullable(),
  }),
  /** A provider is down; `code`: of the failure if the graph does not wait. */
  z.strictObject({
    kind: z.literal("outage"),
    activation,
    task,
    provider: z.string().max(100),
    cause: z.enum(OUTAGE_CAUSES),
    code: z.string().max(64),
    detail: z.string().max(10_000),
    jitter: z.number().min(0).max(1),
    retry_after_ms: z.number().int().min(0).nullable(),
  }),
  z.strictObject({ kind: z.literal("action"), activation, action: z.unknown() }),
  z.strictObject({
    kind: z.literal("task_failure"),
    activation,
    task: taskIdSchema,
    code: z.string().max(64),
    detail: z.string().max(10_000),
  }),
  z.strictObject({
    kind: z.literal("model_intent"),
    activation,
    task,
    tokens: z.number().int().min(0),
    cost_micro_usd: z.number().int().min(0),
  }),
  /** `billed` maybe: all counts as spent. */
  z.strictObject({ kind: z.literal("model_failure"), activation, task, reservation_id: uuidSchema, billed: z.enum(["no", "maybe"]) }),
  z.strictObject({
    kind: z.literal("model_call"),
    activation,
    task,
    reservation_id: uuidSchema,
    step: z.number().int().min(0),
    fresh: z.array(threadMessageSchema).max(200),
    text: z.string(),
    tool_calls: z.array(toolCallSchema).max(MOST_CALLS),
    truncated: z.literal(true).exactOptional(),
    reasoning: reasoningSchema.exactOptional(),
    usage: usageSchema,
  }),
  /** Null: left out by the graph's choice. */
  z.strictObject({
    kind: z.literal("compaction"),
    activation,
    task,
    turns: compactionSchema.shape.turns,
    summarised: z
      .strictObject({ summary: z.string().min(1).max(MAX_SUMMARY_CHARACTERS), reservation_id: uuidSchema, usage: usageSchema })
      .nullable(),
  }),
  z.strictObject({
    kind: z.literal("effect_intent"),
    activation,
    task,
    call_id: z.string().max(220),
    server: z.string().max(300),
    tool: z.string().max(300),
    arguments: z.unknown(),
    availability: availabilitySchema,
  }),
  z.strictObject({
    kind: z.literal("effect_outcome"),
    effect_id: uuidSchema,
    outcome: z.enum(["ok", "tool_error"]),
    result: jsonSchema,
    /** Nothing was called: a recorded answer. */
    simulated: z.literal(true).optional(),
    /** Stored by the runner. */
    artifacts: z.array(hexDigestSchema).max(1_000).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("effect_input"), effect_id: uuidSchema, request: jsonSchema, state: inputStateSchema.nullable() }),
  z.strictObject({ kind: z.literal("recover"), effect_id: uuidSchema }),
  z.strictObject({ kind: z.literal("retry") }),
  z.strictObject({ kind: z.literal("end_wait"), wait_id: uuidSchema }),
  /** Outcome unknown, so counted as made. */
  z.strictObject({ kind: z.literal("forfeit"), reservation_id: uuidSchema }),
  z.strictObject({
    kind: z.literal("recall"),
    activation,
    facts: z.array(z.strictObject({ topic: idSchema, text: z.string().max(4_000), label: labelSchema, run: uuidSchema })).max(100),
  }),
  z.strictObject({ kind: z.literal("open_case"), activation }),
  /** The verdict is in the recorded call. */
  z.strictObject({ kind: z.literal("verdict"), activation, task: taskIdSchema }),
  z.strictObject({ kind: z.literal("close_case"), case_id: uuidSchema }),
  z.strictObject({ kind: z.literal("ascend") }),
  z.strictObject({ kind: z.literal("undo"), effect_id: uuidSchema, availability: availabilitySchema }),
  z.strictObject({ kind: z.literal("unwound") }),
  z.strictObject({ kind: z.literal("expire"), approval_id: uuidSchema }),
  z.strictObject({ kind: z.literal("escalate"), approval_id: uuidSchema }),
  z.strictObject({
    kind: z.literal("void"),
    approval_id: uuidSchema,
    availability: availabilitySchema.exclude(["ok"]).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("ask_again"), approval_id: uuidSchema }),
  z.strictObject({
    kind: z.literal("stop"),
    limit: z.enum([
      "time_limit",
      "iteration_limit",
      "token_budget",
      "cost_budget",
      "subgraph_time_limit",
      "subgraph_iteration_limit",
      "subgraph_budget",
      "idle_limit",
      "value_shredded",
    ]),
  }),
]);
export type WorkBody = z.infer<typeof workBodySchema>;

export type StartBody = Extract<CommandBody, { kind: "start" }> & {
  readonly author: string;
  readonly approvals?: "write";
  readonly rules?: readonly Rule[];
  readonly env?: RunEnvironment;
  readonly event?: Json;
  /** Sources of files that the author gave. */
  readonly artifacts?: readonly string[];
};

export type DecisionBody = Extract<CommandBody, { kind: "decision" }> & {
  readonly passkey?: Passkey;
  readonly lapsed?: readonly string[];
  readonly availability?: BodyOf<"effect_intent">["availability"];
  readonly via?: Via;
  readonly token?: string;
};

export type CommentBody = Extract<CommandBody, { kind: "comment" }> & { readonly via?: Via };

export type ForkBody = Extract<CommandBody, { kind: "fork" }> & {
  readonly author: string;
  /** The parent's demand remains. */
  readonly approvals?: "write";
  readonly rules?: readonly Rule[];
  /** Only for forks before the first record. */
  readonly start:
    | (Pick<StartBody, "goal" | "constraints" | "inputs" | "model" | "limits" | "approvals" | "rules" | "env" | "artifacts"> & {
        /** Keyed by path; forks raise no integrity. */
        readonly labels?: Readonly<Record<string, Label>>;
      })
    | null;
  readonly widens: boolean;
  /** Refusal for the parent's ledger. */
  readonly refused: RefusalCode | null;
};

export type ProposalBody =
  | StartBody
  | DecisionBody
  | CommentBody
  | ForkBody
  | Exclude<CommandBody, { kind: "start" | "decision" | "comment" | "fork" }>
  | WorkBody;
export type BodyOf<K extends ProposalBody["kind"]> = Extract<ProposalBody, { kind: K }>;

/** Proposal with fields that its author cannot choose. */
export const envelopeSchema = z.strictObject({
  id: uuidSchema,
  workspace: uuidSchema,
  run: uuidSchema,
  /** ms since 1970. */
  at: z.number().int().min(0),
  principal: principalSchema,
  epoch: z.number().int().min(1),
  fresh: z.tuple([uuidSchema, uuidSchema]),
});
export type Proposal = z.infer<typeof envelopeSchema> & {
  readonly body: ProposalBody;
  /** Places in which a person may decide; looked up by the runner. */
  readonly seats?: readonly Seat[];
  /** Of the gate that this opens; looked up by the runner. */
  readonly history?: KnownHistory;
};
