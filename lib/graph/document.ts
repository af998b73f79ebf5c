/** Graph document schema: drafts, versions and runs; rejects unknown keys. */
import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { expressionSchema } from "@/lib/graph/expression";
import { field } from "@/lib/graph/field";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { classificationSchema, integritySchema } from "@/lib/graph/label";
import { grantSchema, MEMORY_KEY, pathSchema } from "@/lib/graph/path";
import { MOST_TRIGGERS, triggerSchema } from "@/lib/graph/triggers/trigger";
import { toolDescriptionSchema, toolNameSchema } from "@/lib/graph/tool-ref";
import { EFFORTS } from "@/lib/model-effort";
import { hexDigestSchema } from "@/lib/hash";
import { approversSchema } from "@/lib/people/approvers";

const jsonSchemaSchema = z.record(z.string().max(200), jsonSchema);

export const memoryKeySchema = z.strictObject({
  key: MEMORY_KEY,
  description: z.string().max(500).default(""),
  /** JSON Schema 2020-12; objects are closed unless the schema opens them. */
  schema: jsonSchemaSchema,
  classification: classificationSchema.default("internal"),
  /** Changing it always needs an approval receipt. */
  protected: z.boolean().default(false),
  min_integrity: integritySchema.default("untrusted"),
  max_bytes: z.number().int().min(1).max(16_777_216).default(65_536),
  max_depth: z.number().int().min(1).max(64).default(16),
});
export type MemoryKey = z.infer<typeof memoryKeySchema>;

export const effectClassSchema = z.enum(["pure", "read", "write", "irreversible"]);
export type EffectClass = z.infer<typeof effectClassSchema>;

const SECONDS = { name: "seconds", size: 1_000 };

export const failurePolicySchema = z.strictObject({
  attempts: field(z.number().int().min(1).max(10).default(3), { title: "Attempts" }),
  backoff: field(z.enum(["fixed", "linear", "exponential"]).default("exponential"), {
    title: "Backoff",
    choices: { fixed: "Fixed", linear: "Linear", exponential: "Exponential, with jitter" },
  }),
  backoff_ms: field(z.number().int().min(0).max(3_600_000).default(1_000), { title: "First retry after", unit: SECONDS }),
  timeout_ms: field(z.number().int().min(100).max(3_600_000).default(120_000), {
    title: "Timeout",
    description: "Ends the current attempt; no further attempts are made.",
    unit: SECONDS,
  }),
});

/** Undoes an effect, in reverse order, when the run fails or is cancelled. */
const compensationSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  /** From memory as it was when the effect was asked for, a fixed value, the effect's result, or one of its arguments. */
  arguments: z
    .record(
      z.string().min(1).max(128),
      z.union([
        z.strictObject({ from: pathSchema }),
        z.strictObject({ value: jsonSchema }),
        z.strictObject({ result: z.union([z.literal(""), pathSchema]) }),
        z.strictObject({ argument: z.string().min(1).max(128) }),
      ]),
    )
    .default({}),
});
export type Compensation = z.infer<typeof compensationSchema>;

/** Per run, retries included; 0 means nothing. */
export const nodeBudgetSchema = z.strictObject({
  max_tokens: field(z.number().int().min(0).optional(), {
    title: "Max tokens per run",
    description: "Includes retries. If empty, only the run's limit applies.",
  }),
  max_cost_usd: field(z.number().min(0).max(1_000_000).optional(), { title: "Max cost per run (US dollars)" }),
});

/** Outside agent's step; inputs are written to memory before the node works. */
const actionSchema = z.strictObject({
  description: z.string().max(2_000).default(""),
  inputs: z
    .array(
      z.strictObject({
        name: idSchema,
        /** A declared key or a path in one; its schema is the input's. */
        path: pathSchema,
        description: z.string().max(500).default(""),
        required: z.boolean().default(true),
      }),
    )
    .max(50)
    .default([]),
});
export type NodeAction = z.infer<typeof actionSchema>;

const nodeBase = {
  id: idSchema,
  title: z.string().max(120).default(""),
  read_keys: z.array(grantSchema).max(200).default([]),
  write_keys: z.array(grantSchema).max(200).default([]),
  effect: effectClassSchema.default("pure"),
  /** `always`: the node's changes wait for a person whatever their labels say; `every_call`: its reads too. */
  approval: z.enum(["by_rule", "always", "every_call"]).default("by_rule"),
  /** People and groups who may decide the node's approvals; absent: everyone with the role. */
  approvers: approversSchema.optional(),
  failure_policy: failurePolicySchema.prefault({}),
  budget: nodeBudgetSchema.optional(),
  compensation: compensationSchema.optional(),
  action: actionSchema.optional(),
  /** Canvas coordinates in pixels; they change no behaviour but are part of the document. */
  position: z.strictObject({ x: z.number(), y: z.number() }).default({ x: 0, y: 0 }),
};

export const nodeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...nodeBase, kind: z.literal("agent"), config: NODE_KINDS.agent.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("tool"), config: NODE_KINDS.tool.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("router"), config: NODE_KINDS.router.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("transform"), config: NODE_KINDS.transform.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("approval"), config: NODE_KINDS.approval.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("supervisor"), config: NODE_KINDS.supervisor.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("map"), config: NODE_KINDS.map.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("voting"), config: NODE_KINDS.voting.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("evolution"), config: NODE_KINDS.evolution.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("verifier"), config: NODE_KINDS.verifier.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("synthesizer"), config: NODE_KINDS.synthesizer.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("reflection"), config: NODE_KINDS.reflection.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("subgraph"), config: NODE_KINDS.subgraph.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("extract"), config: NODE_KINDS.extract.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("review"), config: NODE_KINDS.review.config }),
  z.strictObject({ ...nodeBase, kind: z.literal("judge"), config: NODE_KINDS.judge.config }),
]);
export type GraphNode = z.infer<typeof nodeSchema>;
export type NodeOf<K extends GraphNode["kind"]> = Extract<GraphNode, { kind: K }>;

export const edgeSchema = z.strictObject({
  id: idSchema,
  source: idSchema,
  target: idSchema,
  kind: z.enum(["normal", "default", "error", "timeout"]).default("normal"),
  condition: expressionSchema.optional(),
  /** Under strict taint, the condition may depend on values that are never clean: a person then decides every time. */
  hold: z.literal(true).optional(),
});
export type GraphEdge = z.infer<typeof edgeSchema>;

const DAY_MS = 86_400_000;

/** The run waits until an outside agent names an action. */
const externalSchema = z.strictObject({
  /** Memory paths shown to the agent. */
  read_keys: z.array(grantSchema).max(200).default([]),
  /** Highest class shown; higher values are redacted. */
  clearance: classificationSchema.default("internal"),
  /** Instructions for the outside agent. */
  instructions: z.string().max(4_000).default(""),
  /** How long the run rests for an agent that does not come back before it is cancelled. */
  idle_timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
});

export const CHECKS = ["correctness", "quality", "security", "docs"] as const;

/** Checks before effects; a missing verdict is no pass. */
const verificationSchema = z.strictObject({
  effects: z
    .array(z.enum(["write", "irreversible"]))
    .min(1)
    .max(2)
    .default(["write", "irreversible"]),
  checks: z
    .array(z.strictObject({ id: z.enum(CHECKS), agent_id: idSchema, criteria: z.string().max(4_000).default("") }))
    .max(CHECKS.length)
    .default([]),
  /** `replan`: the node is tried again, as its failure policy says; `human`: a person decides; `fail`: the node fails. */
  on_failure: z.enum(["replan", "human", "fail"]).default("fail"),
});

export const graphSchema = z.strictObject({
  format: z.literal("countersign/graph/v1"),
  id: idSchema,
  name: z.string().min(1).max(120),
  description: z.string().max(2_000).default(""),
  /** JSON Schema of the launch form; each property that is a memory key fills it at the start. */
  inputs: jsonSchemaSchema.default({ type: "object", properties: {}, additionalProperties: false }),
  memory: z.array(memoryKeySchema).max(500).default([]),
  nodes: z.array(nodeSchema).max(10_000),
  /** In order: the first edge whose condition is true is taken. */
  edges: z.array(edgeSchema).max(50_000),
  start_node: idSchema,
  end_nodes: z.array(idSchema).max(1_000),
  strict_taint: z.boolean().default(false),
  /** Agents are shown untrusted values only as handles; extracts and reviews open them. */
  isolate_untrusted: z.boolean().default(false),
  verification: verificationSchema.optional(),
  /** Approvals that need a passkey: irreversible effects, or changes of protected memory as well. */
  passkey_for: z.enum(["irreversible", "high_risk"]).optional(),
  external: externalSchema.optional(),
  /** Absent: people and programs start runs. */
  triggers: z.array(triggerSchema).min(1).max(MOST_TRIGGERS).optional(),
  max_iterations: z.number().int().min(1).max(100_000).default(50),
  max_execution_time_ms: z
    .number()
    .int()
    .min(1)
    .max(30 * 86_400_000)
    .default(3_600_000),
  /** How long a run waits for a model's provider that is down or asks to wait; 15 minutes if absent. */
  max_outage_ms: z.number().int().min(0).max(DAY_MS).optional(),
  max_token_budget: z.number().int().min(0).optional(),
  budget_usd: z.number().min(0).max(1_000_000).optional(),
  /** Longest conversation of an agent with its prompt, in estimated tokens; absent: as long as its model takes, where known. */
  max_thread_tokens: z.number().int().min(1_000).max(10_000_000).optional(),
  /** Older turns of a longer one: a model call summarises them, which is the default, or they are dropped. */
  over_thread: z.enum(["summarise", "drop"]).optional(),
  /** At the run's token or cost limit: end the run, which is the default, or ask a person to raise it. */
  over_budget: z.enum(["end", "ask"]).optional(),
});
export type Graph = z.infer<typeof graphSchema>;
export type GraphInput = z.input<typeof graphSchema>;

/** `permissions` caps the grants of its nodes. */
export const agentSchema = z.strictObject({
  id: idSchema,
  name: z.string().min(1).max(120),
  /** `default` is the model chosen when the run starts. */
  model: z.string().min(1).max(200).default("default"),
  system_prompt: z.string().max(50_000).default(""),
  permissions: z
    .strictObject({ read_keys: z.array(grantSchema).max(200).optional(), write_keys: z.array(grantSchema).max(200).optional() })
    .default({}),
  tools: z
    .array(
      z.strictObject({
        server: idSchema,
        tool: toolNameSchema,
        /** The agent chooses the arguments of its writes without a receipt for them, as long as no untrusted data shaped them. */
        trusted: z.literal(true).exactOptional(),
      }),
    )
    .max(100)
    .default([]),
  /** Asked while the provider of `model` is down; never for a verdict. */
  fallback: z.string().min(1).max(200).exactOptional(),
  /** How long the model thinks; ignored by models without such a setting. Absent: the provider's default. */
  effort: z.enum(EFFORTS).exactOptional(),
  max_steps: z.number().int().min(1).max(50).default(10),
  timeout_ms: z.number().int().min(1_000).max(3_600_000).default(120_000),
});
export type Agent = z.infer<typeof agentSchema>;

/** Admin's pin: definition digest and labels the server cannot lower. */
export const pinnedToolSchema = z.strictObject({
  server: idSchema,
  tool: toolNameSchema,
  definition_digest: hexDigestSchema,
  description: toolDescriptionSchema,
  input_schema: jsonSchemaSchema,
  effect: effectClassSchema,
  /** Safe to send again with the same idempotency key. */
  idempotent: z.boolean(),
  /** How confidential its answers are at least. */
  output: classificationSchema.default("internal"),
  /** Sends data outside: a search engine does, your own database does not. */
  outward: z.boolean().default(true),
  /** The most confidential data that it may be told. */
  clearance: classificationSchema.default("internal"),
});
export type PinnedTool = z.infer<typeof pinnedToolSchema>;

export type ToolLabels = Pick<PinnedTool, "effect" | "idempotent" | "output" | "outward" | "clearance">;

const versionParts = {
  graph: graphSchema,
  agents: z.array(agentSchema).max(1_000),
  tools: z.array(pinnedToolSchema).max(10_000),
};

const subgraphVersionSchema = z.strictObject({ version: hexDigestSchema, ...versionParts });
export type SubgraphVersion = z.infer<typeof subgraphVersionSchema>;

/** Immutable content of a run, named by its digest. */
export const publishedGraphSchema = z.strictObject({
  ...versionParts,
  /** Every graph that is used at any depth, each once. */
  subgraphs: z.array(subgraphVersionSchema).max(500).default([]),
});
export type PublishedGraph = z.infer<typeof publishedGraphSchema>;
