import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { judgeGraph, type AnswerProblem } from "@/lib/architect/judge-answer";
import type { Principal } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { listNamedVersions } from "@/lib/graph/publish";
import { uuidSchema } from "@/lib/ids";
import type { HexDigest } from "@/lib/hash";
import { systemClock, type Clock } from "@/server/clock";
import type { Vault } from "@/server/security/vault";
import { cancelArchitectJob } from "@/server/store/agents/architect-jobs";
import { getGraph } from "@/server/store/graphs/graphs";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { acceptJob, askArchitect, ownJob, toJobView } from "./ask";
import { wishSchema } from "./job";
import { publishCase } from "./publishing";

export type AgentPrincipal = Pick<Extract<Principal, { type: "agent" }>, "type" | "token" | "owner" | "scopes">;

export type ArchitectCall = {
  readonly vault: Vault;
  readonly workspaceId: string;
  readonly principal: AgentPrincipal;
  readonly graphs: readonly string[] | null;
  readonly requestVersion: (draft: { readonly id: string; readonly revision: number; readonly hash: HexDigest }) => Promise<string>;
  readonly clock?: Clock;
};

const POLL_MS = 250;
const MOST_WAIT_MS = 60_000;

const granted = ({ principal }: ArchitectCall): void => {
  if (!principal.scopes.includes("architect")) throw new AppError("forbidden", { message: "This token was not granted the architect." });
};

/** Not its person's or their other tokens' jobs. */
const jobOf = async ({ workspaceId, principal }: ArchitectCall, id: string) => {
  const job = await ownJob(workspaceId, principal.owner, id);
  if (job.tokenId !== principal.token) throw new AppError("not_found");

  return job;
};

/** Graphs outside the token's scope don't exist. */
const targetOf = async ({ workspaceId, graphs }: ArchitectCall, id: string | undefined) => {
  if (id === undefined) return null;
  const draft = graphs === null || graphs.includes(id) ? await getGraph(workspaceId, id) : null;
  if (!draft) throw new AppError("not_found");

  return draft;
};

/** `job` polls or stops a request. */
export const architectDraftInput = z.union([
  z.strictObject({ job: uuidSchema, cancel: z.boolean().default(false), wait_ms: z.number().int().min(0).max(MOST_WAIT_MS).default(0) }),
  wishSchema.extend({ graph_id: uuidSchema.optional(), wait_ms: z.number().int().min(0).max(MOST_WAIT_MS).default(20_000) }),
]);

export type DraftAnswer = {
  readonly job: string;
  readonly status: "queued" | "working" | "done" | "failed" | "cancelled";
  readonly reason: string | null;
  readonly attempt: number;
  readonly attempts: number;
  readonly graph: Graph | null;
  readonly wider: readonly string[];
  readonly narrower: readonly string[];
  readonly warnings: readonly AnswerProblem[];
  readonly problems: readonly AnswerProblem[];
};

const answerOf = async (call: ArchitectCall, id: string): Promise<DraftAnswer> => {
  const view = await toJobView(call.vault, call.workspaceId, await jobOf(call, id));
  const texts = (direction: "wider" | "narrower") =>
    (view.proposal?.changes ?? []).filter((change) => change.direction === direction).map(({ text }) => text);

  return {
    job: id,
    status: view.status,
    reason: view.reason,
    attempt: view.attempt,
    attempts: view.attempts,
    graph: view.proposal?.graph ?? null,
    wider: texts("wider"),
    narrower: texts("narrower"),
    warnings: view.proposal?.warnings ?? [],
    problems: view.tried.at(-1) ?? [],
  };
};

const isOver = ({ status }: DraftAnswer): boolean => status !== "queued" && status !== "working";

const waited = async (call: ArchitectCall, id: string, waitMs: number): Promise<DraftAnswer> => {
  const clock = call.clock ?? systemClock;
  const until = clock.now() + waitMs;
  let answer = await answerOf(call, id);
  while (!isOver(answer) && clock.now() < until) {
    await delay(POLL_MS);
    answer = await answerOf(call, id);
  }

  return answer;
};

/** Requests or polls a graph, waiting for a bounded time. */
export const architectDraft = async (call: ArchitectCall, input: z.output<typeof architectDraftInput>): Promise<DraftAnswer> => {
  granted(call);
  if ("job" in input) {
    await jobOf(call, input.job);
    if (input.cancel) await cancelArchitectJob(call.workspaceId, input.job);

    return waited(call, input.job, input.wait_ms);
  }
  const { graph_id: graphId, wait_ms: waitMs, ...wish } = input;
  const draft = await targetOf(call, graphId);
  const asker = { userId: call.principal.owner, tokenId: call.principal.token };
  const change = draft && { ...wish, graphId: draft.id, revision: draft.revision, document: draft.document };
  const id = await askArchitect(call.vault, call.workspaceId, asker, change ?? wish);

  return waited(call, id, waitMs);
};

export const architectValidateInput = z.strictObject({
  document: z.json(),
  graph_id: uuidSchema.optional(),
});

/** Validates a graph by the architect's rules. */
export const architectValidate = async (
  call: ArchitectCall,
  input: z.output<typeof architectValidateInput>,
): Promise<{ readonly ok: boolean; readonly problems: readonly AnswerProblem[]; readonly warnings: readonly AnswerProblem[] }> => {
  granted(call);
  const before = await targetOf(call, input.graph_id);
  const read = graphSchema.safeParse(input.document);
  const context = await getRegistryContext(call.workspaceId, read.success ? listNamedVersions(read.data) : []);
  const judged = judgeGraph(input.document, before?.document ?? null, context);

  return judged.ok ? { ok: true, problems: [], warnings: judged.warnings } : { ok: false, problems: judged.problems, warnings: [] };
};

export const architectPublishInput = z.strictObject({ job: uuidSchema });

export type PublishAnswer = {
  readonly status: "requested";
  readonly publish_request: string;
  readonly graph_id: string;
  readonly revision: number;
  readonly hash: HexDigest;
};

/** Saves a draft and requests publication; people publish. */
export const architectPublish = async (call: ArchitectCall, input: z.output<typeof architectPublishInput>): Promise<PublishAnswer> => {
  granted(call);
  const job = await jobOf(call, input.job);
  const accepted = await acceptJob(call.vault, call.workspaceId, job);
  if (accepted.status === "conflict") throw new AppError("conflict");
  const { hash } = await publishCase(call.workspaceId, accepted.graphId, accepted.revision);
  const request = await call.requestVersion({ id: accepted.graphId, revision: accepted.revision, hash });

  return { status: "requested", publish_request: request, graph_id: accepted.graphId, revision: accepted.revision, hash };
};
