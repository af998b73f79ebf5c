/** HTTP API contract, the source of routes, OpenAPI document and client types. */
import { z } from "zod";
import { artifactSchema } from "@/lib/artifact";
import { riskSchema } from "@/lib/engine/approvals/authority-class";
import { runStatusSchema } from "@/lib/engine/event";
import { forkEffectsSchema } from "@/lib/engine/forks/fork-change";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { inputAnswersSchema } from "@/lib/engine/approvals/tool-input";
import type { ServiceScope } from "@/lib/engine/principal";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { usageQuerySchema } from "@/lib/usage/report";
import type { Operation } from "./routes";
import {
  acceptedSchema,
  approvalDetailSchema,
  approvalSummarySchema,
  comparisonSchema,
  environmentSchema,
  eventSchema,
  graphDetailSchema,
  graphSummarySchema,
  graphVersionSchema,
  pageOf,
  personSchema,
  problemsSchema,
  promotionRequestSchema,
  publicationRequestSchema,
  runDetailSchema,
  runSchema,
  serverSchema,
  startedSchema,
  stateSchema,
  usageSchema,
  verificationSchema,
  waitTokenSchema,
} from "./resources";

const MAX_WAIT_SECONDS = 60;
const MAX_PAGE = 100;

type Describes = {
  /** `approvals:decide`: personal tokens only; null: the token of a wait. */
  readonly scope: ServiceScope | "approvals:decide" | null;
  readonly summary: string;
  readonly query?: z.ZodObject;
  /** Of a POST, which takes an Idempotency-Key. */
  readonly body?: z.ZodObject;
  readonly takesFile?: true;
  /** `Prefer: respond-async` answers 202 once it is stored. */
  readonly defers?: true;
  readonly status?: 200 | 201;
  /** `json`: validated and stripped; others are streamed. */
  readonly type?: "json" | "events" | "file";
  readonly response: z.ZodType;
};

const page = {
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
};
const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();
const contentSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("draft") }),
  z.strictObject({ type: z.literal("version"), number: z.number().int().min(1).nullable().describe("Null: the newest, if any.") }),
  z.strictObject({ type: z.literal("document"), document: z.unknown() }),
]);
const reason = z.string().trim().min(1).max(2_000);

export const CONTRACT = {
  listGraphs: {
    scope: "graphs:read",
    summary: "List the graphs of the account",
    query: z.strictObject({ ...page, documentId: idSchema.optional() }),
    response: pageOf(graphSummarySchema),
  },
  importGraph: {
    scope: "graphs:write",
    summary: "Import a document as a new draft",
    body: z.strictObject({
      document: z.unknown().describe("docs/reference/graph.schema.json"),
      keepsId: z.boolean().default(false).describe("Refuse a taken id."),
    }),
    status: 201,
    response: z.object({ id: z.uuid(), documentId: z.string() }),
  },
  validateGraph: {
    scope: "graphs:read",
    summary: "List the problems of a document",
    body: z.strictObject({ document: z.unknown() }),
    response: problemsSchema,
  },
  getGraph: { scope: "graphs:read", summary: "Get a draft and its newest version", response: graphDetailSchema },
  getVersion: {
    scope: "graphs:read",
    summary: "Get the document of a published version",
    query: z.strictObject({ number: z.coerce.number().int().min(1).optional().describe("Default: the newest.") }),
    response: graphVersionSchema,
  },
  compareGraph: {
    scope: "graphs:read",
    summary: "Compare versions, the draft or documents of a graph as publishing does",
    body: z.strictObject({ before: contentSchema, after: contentSchema }),
    response: comparisonSchema,
  },
  saveDraft: {
    scope: "graphs:write",
    summary: "Save a document over exactly this revision of the draft",
    body: z.strictObject({ revision: z.number().int().min(1), document: z.unknown() }),
    status: 201,
    response: z.object({ revision: z.number().int() }),
  },
  listPublicationRequests: {
    scope: "graphs:read",
    summary: "List requests for publication, newest first",
    response: z.object({ items: z.array(publicationRequestSchema) }),
  },
  requestPublication: {
    scope: "graphs:write",
    summary: "Ask a person to publish a draft",
    body: z.strictObject({ revision: z.number().int().min(1), hash: hexDigestSchema }),
    status: 201,
    response: z.object({ status: z.enum(["requested", "invalid_graph"]), id: z.uuid().optional(), ...problemsSchema.partial().shape }),
  },
  listEnvironments: {
    scope: "graphs:read",
    summary: "List environments in order of promotion, with the version of a graph that is live in each",
    response: z.object({ items: z.array(environmentSchema) }),
  },
  listPromotionRequests: {
    scope: "graphs:read",
    summary: "List requests for promotion, newest first",
    response: z.object({ items: z.array(promotionRequestSchema) }),
  },
  requestPromotion: {
    scope: "graphs:write",
    summary: "Ask a person to promote a version to an environment",
    body: z.strictObject({
      environment: idSchema,
      hash: hexDigestSchema,
      base: hexDigestSchema.optional().describe("Refused unless it is live there. Default: the version that is."),
    }),
    status: 201,
    response: z.object({ id: z.uuid() }).meta({ id: "Requested" }),
  },
  createArtifact: {
    scope: "runs:start",
    summary: "Upload a file; its reference is an input of runs that this account starts within 23 hours",
    query: z.strictObject({ name: z.string().min(1).max(300) }),
    takesFile: true,
    status: 201,
    response: artifactSchema,
  },
  listRuns: {
    scope: "runs:read",
    summary: "List runs, newest first",
    query: z.strictObject({
      ...page,
      status: runStatusSchema.optional(),
      graphId: z.uuid().optional(),
      environment: idSchema.optional(),
      waiting: flag,
      active: flag,
    }),
    response: pageOf(runSchema),
  },
  startRun: {
    scope: "runs:start",
    summary: "Start a run of a published version",
    body: z.strictObject({
      graphId: z.uuid(),
      graphHash: hexDigestSchema.optional().describe("Default: the version that is live in the environment."),
      environment: idSchema.optional().describe("Default: the last one."),
      goal: z.string().trim().min(1).max(20_000).optional().describe("Default: the graph's description."),
      constraints: z.array(z.string().trim().min(1).max(2_000)).max(50).optional(),
      inputs: z.record(z.string(), z.json()).default({}),
      model: z.string().min(1).max(200).default("default"),
      limits: runLimitsSchema.optional(),
    }),
    status: 201,
    defers: true,
    response: startedSchema,
  },
  getRun: {
    scope: "runs:read",
    summary: "Get a run, if asked after it ended or waits for a person",
    query: z.strictObject({ wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).default(0).describe("Seconds.") }),
    response: runDetailSchema,
  },
  getRunState: {
    scope: "runs:read",
    summary: "Get the state of a run with its memory, as a viewer sees it",
    query: z.strictObject({ seq: z.coerce.number().int().min(0).optional().describe("Default: the last record.") }),
    response: stateSchema,
  },
  followRun: { scope: "runs:read", summary: "Follow a run until it ends", type: "events", response: eventSchema },
  exportRun: { scope: "runs:read", summary: "Export a run for offline verification", type: "file", response: z.unknown() },
  verifyRun: { scope: "runs:read", summary: "Recompute every digest, signature and state", response: verificationSchema },
  cancelRun: {
    scope: "runs:control",
    summary: "Cancel a run",
    body: z.strictObject({ reason: reason.optional() }),
    response: acceptedSchema,
  },
  forkRun: {
    scope: "runs:start",
    summary: "Continue from a record in a new run",
    body: z.strictObject({
      seq: z.number().int().min(0).describe("First record that is not shared."),
      effects: forkEffectsSchema.default("simulate"),
    }),
    status: 201,
    response: startedSchema,
  },
  takeWaitToken: {
    scope: "runs:control",
    summary: "Take the one-time token that answers the wait of a run",
    body: z.strictObject({}),
    status: 201,
    response: waitTokenSchema,
  },
  answerWait: {
    scope: "runs:answer",
    summary: "Answer the wait of a run",
    body: z.strictObject({
      token: z.string().min(1).max(100),
      value: z.json().describe("As the key that takes it declares; null where none does."),
    }),
    response: acceptedSchema,
  },
  answerWaitByToken: {
    scope: null,
    summary: "Answer a wait with its one-time token alone, as the bearer token",
    body: z.strictObject({ value: z.json().describe("As the key that takes it declares; null where none does.") }),
    response: acceptedSchema,
  },
  listApprovals: {
    scope: "approvals:read",
    summary: "List approval requests",
    query: z.strictObject({
      cursor: page.cursor,
      tab: z.enum(["open", "decided"]).default("open"),
      graphId: z.uuid().optional(),
      risk: riskSchema.optional(),
    }),
    response: pageOf(approvalSummarySchema),
  },
  getApproval: { scope: "approvals:read", summary: "Get the view of an approval request", response: approvalDetailSchema },
  commentOnApproval: {
    scope: "approvals:comment",
    summary: "Comment on an approval request",
    body: z.strictObject({ text: reason }),
    status: 201,
    response: acceptedSchema,
  },
  decideApproval: {
    scope: "approvals:decide",
    summary: "Decide on an approval request, as the owner of a personal token",
    body: z.strictObject({
      decision: z.enum(["approve", "reject", "request_changes"]),
      transitionDigest: hexDigestSchema,
      viewDigest: hexDigestSchema,
      nonce: z.uuid(),
      reason: reason.optional().describe("Not for an approval."),
      answers: inputAnswersSchema.optional().describe("To a tool's questions."),
      assertion: assertionSchema.optional().describe("WebAuthn, over the challenge of the request, base64url."),
    }),
    response: acceptedSchema,
  },
  rejectApproval: {
    scope: "approvals:reject",
    summary: "Reject an approval request, as a service account",
    body: z.strictObject({ transitionDigest: hexDigestSchema, viewDigest: hexDigestSchema, nonce: z.uuid(), reason }),
    response: acceptedSchema,
  },
  listServers: { scope: "servers:read", summary: "List MCP servers", response: z.object({ items: z.array(serverSchema) }) },
  listPeople: { scope: "people:read", summary: "List people", response: z.object({ items: z.array(personSchema) }) },
  getUsage: { scope: "usage:read", summary: "Get limits, use and results", query: usageQuerySchema, response: usageSchema },
} as const satisfies Record<Operation, Describes>;

export const describe = (operation: Operation): Describes => CONTRACT[operation];
