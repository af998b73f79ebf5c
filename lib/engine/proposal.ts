/** Anything that anyone wants to happen to a run. `unknown` fields are parsed by `decide`, so that a bad one is a refusal. */
import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { labelSchema, type Label } from "@/lib/graph/label";
import { assertionSchema, type Passkey } from "@/lib/engine/approvals/assertion";
import { findingSchema, openingPurposeSchema } from "@/lib/engine/approvals/case";
import { editedSchema } from "@/lib/engine/approvals/edited-form";
import { decisionSchema } from "@/lib/engine/event";
import { forkChangeSchema, forkEffectsSchema } from "@/lib/engine/forks/fork-change";
import { principalSchema } from "@/lib/engine/principal";
import { taskIdSchema } from "@/lib/engine/task-id";
import { inputAnswersSchema, inputStateSchema } from "@/lib/engine/approvals/tool-input";
import { MOST_CALLS, threadMessageSchema, toolCallSchema } from "@/lib/engine/thread";
import type { RefusalCode } from "@/lib/refusal";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import { usageSchema } from "@/lib/engine/usage";

const activation = z.number().int().min(0);
/** Absent: the node's own. */
const task = taskIdSchema.optional();

/** What outside agents can ask for and not be shown: a word of ours, never what they said. */
const DENIED_READS = ["session", "run", "graph", "token", "resource", "request"] as const;

/** What people propose; it reaches the runner as a command. */
export const commandBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("start"),
    graph_hash: hexDigestSchema,
    goal: z.string().max(20_000),
    constraints: z.array(z.string().max(2_000)).max(50),
    inputs: jsonSchema,
    model: z.string().min(1).max(200),
    /** What this run may use at most, within what its version allows. */
    limits: runLimitsSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal("decision"),
    approval_id: uuidSchema,
    transition_digest: hexDigestSchema,
    view_digest: hexDigestSchema,
    decision: decisionSchema,
    /** A rejection and a request for changes need one. */
    reason: z.string().max(2_000).optional(),
    /** Of a case: what was found, and where in the target's text. */
    findings: z.array(findingSchema).max(100).optional(),
    nonce: uuidSchema,
    /** What an authenticator signed, where the gate asks for that. */
    assertion: assertionSchema.optional(),
    /** What a tool asked for, where the gate is about that. */
    answers: inputAnswersSchema.optional(),
  }),
  /** Something to say about an open gate. */
  z.strictObject({ kind: z.literal("comment"), approval_id: uuidSchema, text: z.string().min(1).max(2_000) }),
  /** Another proposal in place of the one that waits, by somebody who may decide about it. */
  z.strictObject({
    kind: z.literal("edit"),
    approval_id: uuidSchema,
    transition_digest: hexDigestSchema,
    nonce: uuidSchema,
    change: editedSchema,
    reason: z.string().max(2_000).optional(),
  }),
  z.strictObject({ kind: z.literal("cancel"), reason: z.string().max(2_000).optional() }),
  z.strictObject({
    kind: z.literal("fork"),
    /** The run that comes of it. */
    run: uuidSchema,
    parent_run: uuidSchema,
    /** The first record that is not the parent's any more. */
    parent_seq: z.number().int().min(0),
    change: forkChangeSchema,
    effects: forkEffectsSchema,
  }),
  /** An outside agent takes an action. `inputs` as it sent them: judged by `decide`, so that bad ones are refused on record. */
  z.strictObject({
    kind: z.literal("step"),
    action: z.string().max(300),
    inputs: jsonSchema,
    /** The record that it believes to be the next one. */
    expected_seq: z.number().int().min(0).optional(),
  }),
  /** An outside agent asks that a person allows exactly this action. */
  z.strictObject({
    kind: z.literal("request_approval"),
    action: z.string().max(300),
    inputs: jsonSchema,
    reason: z.string().max(2_000).optional(),
  }),
  /** Somebody was not shown what they asked for: always refused, and on record. */
  z.strictObject({ kind: z.literal("read"), what: z.enum(DENIED_READS) }),
  /** Somebody asks to see one sealed value: the record comes first. */
  z.strictObject({
    kind: z.literal("open_cell"),
    seq: z.number().int().min(0),
    index: z.number().int().min(0),
    purpose: openingPurposeSchema,
    case_id: uuidSchema.optional(),
    reason: z.string().max(2_000).optional(),
  }),
]);
export type CommandBody = z.infer<typeof commandBodySchema>;

const availabilitySchema = z.enum(["ok", "unavailable", "drifted", "not_allowed"]);

/** What executors and the engine propose. */
export const workBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("begin") }),
  z.strictObject({ kind: z.literal("node_result"), activation, actions: z.array(z.unknown()).max(200) }),
  z.strictObject({
    kind: z.literal("node_failure"),
    activation,
    code: z.string().max(64),
    retryable: z.boolean(),
    detail: z.string().max(10_000),
    /** In [0, 1): spreads retries. */
    jitter: z.number().min(0).max(1),
    /** From a Retry-After; the next attempt waits at least this long. */
    retry_after_ms: z.number().int().min(0).nullable(),
  }),
  z.strictObject({ kind: z.literal("action"), activation, action: z.unknown() }),
  /** A part of the node's work has failed for good; the node itself may go on. */
  z.strictObject({
    kind: z.literal("task_failure"),
    activation,
    task: taskIdSchema,
    code: z.string().max(64),
    detail: z.string().max(10_000),
  }),
  /** The worst that a model call can cost, to be set aside before it is made. */
  z.strictObject({
    kind: z.literal("model_intent"),
    activation,
    task,
    tokens: z.number().int().min(0),
    cost_micro_usd: z.number().int().min(0),
  }),
  /** The call brought no answer. `billed` maybe: then all that was set aside counts as spent. */
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
    usage: usageSchema,
  }),
  z.strictObject({
    kind: z.literal("effect_intent"),
    activation,
    task,
    call_id: z.string().max(220),
    server: z.string().max(300),
    tool: z.string().max(300),
    arguments: z.unknown(),
    /** What the gateway found at the server's door. */
    availability: availabilitySchema,
  }),
  z.strictObject({
    kind: z.literal("effect_outcome"),
    effect_id: uuidSchema,
    outcome: z.enum(["ok", "tool_error"]),
    result: jsonSchema,
    /** Nothing was called: the answer is from the record. */
    simulated: z.literal(true).optional(),
  }),
  /** Instead of an outcome: the tool asks a person for something first. `request` as its server sent it. */
  z.strictObject({ kind: z.literal("effect_input"), effect_id: uuidSchema, request: jsonSchema, state: inputStateSchema.nullable() }),
  z.strictObject({ kind: z.literal("recover"), effect_id: uuidSchema }),
  /** The wait before another attempt is over. */
  z.strictObject({ kind: z.literal("retry") }),
  /** A reservation of a lease that is over: nobody knows what became of the call, so it counts as made. */
  z.strictObject({ kind: z.literal("forfeit"), reservation_id: uuidSchema }),
  /** What earlier runs left under a node's topics, as cells of theirs say it. */
  z.strictObject({
    kind: z.literal("recall"),
    activation,
    facts: z.array(z.strictObject({ topic: idSchema, text: z.string().max(4_000), label: labelSchema, run: uuidSchema })).max(100),
  }),
  /** A case about what a review node looks at, or about an effect that has to be verified. */
  z.strictObject({ kind: z.literal("open_case"), activation }),
  /** The reviewer of this task has spoken: what it said is taken from the record of its model call. */
  z.strictObject({ kind: z.literal("verdict"), activation, task: taskIdSchema }),
  z.strictObject({ kind: z.literal("close_case"), case_id: uuidSchema }),
  /** A subgraph has ended: its outputs go to the graph that uses it. */
  z.strictObject({ kind: z.literal("ascend") }),
  /** The newest effect that is not yet undone. */
  z.strictObject({ kind: z.literal("undo"), effect_id: uuidSchema, availability: availabilitySchema }),
  z.strictObject({ kind: z.literal("unwound") }),
  z.strictObject({ kind: z.literal("expire"), approval_id: uuidSchema }),
  z.strictObject({
    kind: z.literal("void"),
    approval_id: uuidSchema,
    /** What the runner found at the door of the tool that the approval names, where that is why. */
    availability: availabilitySchema.exclude(["ok"]).exactOptional(),
  }),
  /** The tool whose approval came to nothing at its door can be called again: its node goes on, and asks anew. */
  z.strictObject({ kind: z.literal("ask_again"), approval_id: uuidSchema }),
  z.strictObject({
    kind: z.literal("stop"),
    limit: z.enum(["time_limit", "iteration_limit", "subgraph_time_limit", "subgraph_iteration_limit", "idle_limit", "value_shredded"]),
  }),
]);
export type WorkBody = z.infer<typeof workBodySchema>;

/** A start as it is decided: with the author of the version, whom the runner looks up and nobody gets to choose. */
export type StartBody = Extract<CommandBody, { kind: "start" }> & {
  readonly author: string;
  /** The workspace's policy, where it demands a passkey for approvals of class write or higher. */
  readonly approvals?: "write";
};

/** A decision as it is decided: with the passkey that its assertion names, of this person and not revoked, as the runner found it. */
export type DecisionBody = Extract<CommandBody, { kind: "decision" }> & {
  readonly passkey?: Passkey;
  /** Who approved before and, as the runner found, may not decide any more: disabled, gone, or of another role. */
  readonly lapsed?: readonly string[];
  /** What the runner found at the door of the tool that would be called. */
  readonly availability?: BodyOf<"effect_intent">["availability"];
};

/** A fork as it is decided, with what the runner found. */
export type ForkBody = Extract<CommandBody, { kind: "fork" }> & {
  /** Of the version that it executes. */
  readonly author: string;
  /** As in a start. What the parent was started with holds as well. */
  readonly approvals?: "write";
  /** What the parent was started with; only for a fork at its very start. */
  readonly start:
    | (Pick<StartBody, "goal" | "constraints" | "inputs" | "model" | "limits" | "approvals"> & {
        /** By path: how far what the parent was started with could be trusted. Nobody vouches for it by starting again. */
        readonly labels?: Readonly<Record<string, Label>>;
      })
    | null;
  /** Whether what it executes may do more than what the parent executes. */
  readonly widens: boolean;
  /** Set when it was refused: then it is proposed again to the parent, whose ledger keeps refusals about it. */
  readonly refused: RefusalCode | null;
};

export type ProposalBody = StartBody | DecisionBody | ForkBody | Exclude<CommandBody, { kind: "start" | "decision" | "fork" }> | WorkBody;
export type BodyOf<K extends ProposalBody["kind"]> = Extract<ProposalBody, { kind: K }>;

/** A proposal with everything that is not its author's to choose: who, when, under which lease, and fresh ids. */
export const envelopeSchema = z.strictObject({
  id: uuidSchema,
  workspace: uuidSchema,
  run: uuidSchema,
  /** Milliseconds since 1970. */
  at: z.number().int().min(0),
  principal: principalSchema,
  /** The lease under which the runner decides. */
  epoch: z.number().int().min(1),
  /** Ids for whatever the decision creates. */
  fresh: z.tuple([uuidSchema, uuidSchema]),
});
export type Proposal = z.infer<typeof envelopeSchema> & { readonly body: ProposalBody };
