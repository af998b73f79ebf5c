/** Answers of the HTTP API: only these members leave. Times are ms since 1970. */
import { z } from "zod";
import { PARTS } from "@/lib/architect/comparison";
import { authorityClassSchema, riskSchema } from "@/lib/engine/approvals/authority-class";
import { gateReasonSchema, runStatusSchema } from "@/lib/engine/event";
import { workflowStateSchema } from "@/lib/engine/workflow-state";
import { tokenLimitsSchema } from "@/lib/outside/token-limits";
import { roleSchema } from "@/lib/roles";
import { usageReportSchema } from "@/lib/usage/report";

const count = z.number().int().min(0);
const timeMs = count.describe("Milliseconds since 1970.");
const hash = z.string().describe("SHA-256, hex.");

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("Null: the last page."),
  });

const versionSchema = z.object({ hash, number: z.number().int() }).meta({ id: "Version" });

export const graphSummarySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    revision: z.number().int().describe("Of the draft."),
    version: versionSchema.nullable().describe("The newest published version."),
    updatedAt: timeMs,
  })
  .meta({ id: "GraphSummary" });

export const graphDetailSchema = z
  .object({
    id: z.uuid(),
    revision: z.number().int(),
    hash: hash.describe("Of the version that the draft would become; a request for publication names it."),
    version: versionSchema.nullable(),
    document: z.unknown().describe("The draft: docs/reference/graph.schema.json."),
  })
  .meta({ id: "Graph" });

export const problemsSchema = z.object({
  problems: z.array(
    z
      .object({
        code: z.string(),
        severity: z.string(),
        message: z.string(),
        node: z.string().optional(),
        edge: z.string().optional(),
        key: z.string().optional(),
      })
      .meta({ id: "GraphProblem" }),
  ),
});

export const graphVersionSchema = versionSchema.extend({ publishedAt: timeMs, document: z.unknown() }).meta({ id: "GraphVersion" });

export const comparisonSchema = problemsSchema
  .extend({
    secondPerson: z.enum(["wider", "architect", "unattended"]).nullable().describe("Why publishing takes one; null: it does not."),
    unattended: z.array(z.object({ inside: z.string(), node: z.string(), tool: z.string() })).describe("Calls without approval."),
    changes: z.array(
      z.object({
        direction: z.enum(["wider", "narrower"]),
        loosens: z.boolean().describe("Weakens people, trust or isolation."),
        facet: z.string(),
        text: z.string(),
        node: z.string().optional(),
      }),
    ),
    parts: z.array(z.object({ part: z.enum(PARTS), id: z.string(), mark: z.enum(["added", "changed", "removed"]) })),
  })
  .meta({ id: "Comparison" });

export const publicationRequestSchema = z
  .object({
    id: z.uuid(),
    status: z.enum(["open", "approved", "declined", "superseded"]),
    revision: z.number().int(),
    hash,
    reason: z.string().nullable(),
    createdAt: timeMs,
  })
  .meta({ id: "PublicationRequest" });

export const environmentSchema = z
  .object({ id: z.string(), title: z.string(), version: versionSchema.nullable() })
  .meta({ id: "Environment" });

export const promotionRequestSchema = z
  .object({
    id: z.uuid(),
    status: z.enum(["open", "approved", "declined", "superseded"]),
    environment: z.string(),
    hash,
    base: z.string().nullable().describe("Live there when it was asked; null: none."),
    createdAt: timeMs,
  })
  .meta({ id: "PromotionRequest" });

const waitingSchema = z.object({ approvalId: z.uuid(), node: z.string(), openedAt: timeMs }).meta({ id: "Waiting" });

export const runSchema = z
  .object({
    id: z.uuid(),
    graphId: z.uuid(),
    graphName: z.string(),
    graphHash: hash,
    versionNumber: z.number().int().nullable(),
    status: runStatusSchema,
    currentNode: z.string().nullable(),
    frozen: z.string().nullable().describe("Why the run can't continue: its ledger does not verify."),
    parentRun: z.uuid().nullable(),
    environment: z.string().nullable().describe("Null: the workspace had only the default one."),
    simulated: z.boolean(),
    version: count.describe("Number of records."),
    head: z.string().describe("Digest of the last record."),
    refusals: count,
    totalTokens: count,
    totalMicroUsd: count,
    createdAt: timeMs,
    updatedAt: timeMs,
  })
  .meta({ id: "Run" });

export const runDetailSchema = runSchema
  .extend({
    waitingFor: z.array(waitingSchema).describe("Approvals that the run waits for."),
  })
  .meta({ id: "RunDetail" });

/** The input schema's bounds concern documents that we read. */
export const stateSchema = z.object({ ...workflowStateSchema.shape }).meta({ id: "RunState" });

export const eventSchema = z
  .object({
    runId: z.uuid(),
    status: runStatusSchema,
    version: count,
    frozen: z.string().nullable(),
  })
  .meta({ id: "RunEvent" });

export const verificationSchema = z
  .object({
    ok: z.boolean(),
    records: count.optional(),
    head: z.string().optional(),
    cellsOpened: count.optional(),
    cellsHidden: count.optional(),
    cellsShredded: count.optional(),
    notProved: z.array(z.string()).optional().describe("Continuations of “this does not prove”."),
    seq: z.number().int().nullable().optional().describe("First bad record."),
    reason: z.string().optional(),
  })
  .meta({ id: "Verification" });

export const approvalSummarySchema = z
  .object({
    id: z.uuid(),
    runId: z.uuid(),
    graphId: z.uuid(),
    graphName: z.string(),
    node: z.string(),
    reason: gateReasonSchema,
    status: z.string(),
    role: roleSchema.describe("Who decides."),
    risk: riskSchema.nullable(),
    authority: authorityClassSchema.nullable(),
    simulated: z.boolean(),
    openedAt: timeMs,
    expiresAt: timeMs,
    resolvedAt: timeMs.nullable(),
  })
  .meta({ id: "ApprovalSummary" });

export const approvalDetailSchema = z
  .object({
    id: z.uuid(),
    runId: z.uuid(),
    graphId: z.uuid(),
    status: z.string(),
    node: z.string(),
    role: roleSchema,
    quorum: z.number().int(),
    isStale: z.boolean(),
    expiresAt: timeMs,
    view: z.unknown().describe("What a viewer, or the token's owner, may see of the proposal; hidden values are absent."),
    viewDigest: hash.describe("Of `view`; a decision names it."),
    transitionDigest: hash,
    nonce: z.uuid(),
    canDecide: z.boolean().describe("Whether this token's owner may; false for service accounts."),
    whyNot: z.string().nullable(),
    passkey: z
      .object({
        isRequired: z.boolean().describe("An approval by this token needs an assertion."),
        challenge: z.string().describe("Of an approval of this view, base64url."),
        credentials: z.array(z.object({ id: z.string(), rpId: z.string() })),
      })
      .nullable()
      .describe("For `navigator.credentials.get` on a page of this installation. Null for service accounts."),
    comments: z.array(z.object({ user: z.string(), text: z.string().nullable(), at: timeMs })),
    decisions: z.array(z.object({ user: z.string(), decision: z.string(), at: timeMs.nullable() })),
    names: z.record(z.string(), z.string()).describe("People and accounts by id."),
  })
  .meta({ id: "Approval" });

export const serverSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.string(),
    tools: z.array(z.object({ name: z.string(), effect: z.string().nullable(), isReviewed: z.boolean(), isBlocked: z.boolean() })),
  })
  .meta({ id: "Server" });

export const personSchema = z
  .object({ id: z.uuid(), name: z.string(), role: roleSchema, auditor: z.boolean(), disabled: z.boolean() })
  .meta({ id: "Person" });

export const usageSchema = z
  .object({
    limits: tokenLimitsSchema.describe("Of this account per 24 hours; costs in millionths of a US dollar."),
    used: z.object({ runs: count, sessions: count, micro_usd: count }),
    graphs: z.array(z.object({ graphId: z.uuid(), ended: count, completed: count, lastStatus: runStatusSchema, lastAt: timeMs })),
    report: usageReportSchema.describe("Of the last days. By person: the token's owner and the others together."),
  })
  .meta({ id: "Usage" });

export const acceptedSchema = z.object({ seq: z.number().int().describe("Number of the record.") }).meta({ id: "Accepted" });
export const waitTokenSchema = z
  .object({
    token: z.string().describe("Shown once."),
    url: z.string().describe("Takes the answer as the body of a POST, without an account; as secret as the token."),
    node: z.string().nullable(),
    expiresAt: timeMs.nullable().describe("When the wait times out."),
  })
  .meta({ id: "WaitToken" });
export const startedSchema = z.object({ runId: z.uuid() }).meta({ id: "Started" });

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.string().describe("Stable: the error codes of the API."),
    refusal: z.string().nullable().describe("Stable: docs/reference/refusals.md."),
    requestId: z.string(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).describe("Invalid inputs, without values."),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;
