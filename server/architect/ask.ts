import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority, type AuthorityChange } from "@/lib/architect/authority-diff";
import { judgeGraph } from "@/lib/architect/judge-answer";
import type { AnswerProblem } from "@/lib/architect/judge-answer";
import { MOST_ATTEMPTS } from "@/lib/architect/loop";
import { AppError } from "@/lib/errors";
import type { Graph } from "@/lib/graph/document";
import { listNamedVersions, buildPublishedGraph } from "@/lib/graph/publish";
import { systemClock } from "@/server/clock";
import { demandAllowed } from "@/server/models/choosable";
import type { Vault } from "@/server/security/vault";
import {
  getArchitectJob,
  insertArchitectJob,
  openArchitectJobs,
  type ArchitectJob,
  type JobStatus,
} from "@/server/store/agents/architect-jobs";
import { createGraph, getGraph, saveRevision } from "@/server/store/graphs/graphs";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { jobBody, jobResult, jobState, type Wish } from "./job";
import { JOB_CODES, type JobCode } from "./work";

const MOST_OPEN = 3;

export type Asker = {
  readonly userId: string;
  readonly tokenId: string | null;
};

export type ChangeWish = Wish & {
  readonly graphId: string;
  readonly revision: number;
  readonly document: Graph;
};

/** Queues a job. @returns its id @throws AppError */
export const askArchitect = async (vault: Vault, workspaceId: string, asker: Asker, wish: Wish | ChangeWish): Promise<string> => {
  if ((await openArchitectJobs(workspaceId, asker.userId)) >= MOST_OPEN) {
    throw new AppError("rate_limited", { message: "The architect still works on what you asked before." });
  }
  await demandAllowed(workspaceId, wish.model);
  const change = "document" in wish ? wish : null;
  if (change) {
    const draft = await getGraph(workspaceId, change.graphId);
    if (!draft) throw new AppError("not_found");
    if (draft.revision !== change.revision) throw new AppError("conflict");
  }
  const id = systemClock.id();
  const body = { description: wish.description, pasted: wish.pasted, before: change?.document ?? null };
  await insertArchitectJob(workspaceId, {
    id,
    ...asker,
    target: change && { graphId: change.graphId, revision: change.revision },
    model: wish.model,
    body: jobBody.seal(vault, workspaceId, id, body),
    // Written by a model, or from its input.
    untrusted: wish.pasted !== "" || asker.tokenId !== null,
  });

  return id;
};

export const ownJob = async (workspaceId: string, userId: string, id: string): Promise<ArchitectJob> => {
  const job = await getArchitectJob(workspaceId, id);
  if (job?.userId !== userId) throw new AppError("not_found");

  return job;
};

const isJobCode = (code: string | null): code is JobCode => code !== null && Object.hasOwn(JOB_CODES, code);

/** `changes`: authority gained or lost against its base. */
export type Proposal = {
  readonly graph: Graph;
  readonly before: Graph | null;
  readonly changes: readonly AuthorityChange[];
  readonly warnings: readonly AnswerProblem[];
};

export type JobView = {
  readonly id: string;
  readonly status: JobStatus;
  readonly reason: string | null;
  readonly code: JobCode | null;
  readonly attempt: number;
  readonly attempts: number;
  readonly problems: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly model: string;
  readonly description: string;
  readonly untrusted: boolean;
  readonly graphId: string | null;
  readonly proposal: Proposal | null;
  readonly tried: readonly (readonly AnswerProblem[])[];
};

const proposalOf = async (
  workspaceId: string,
  graph: Graph,
  before: Graph | null,
  warnings: readonly AnswerProblem[],
): Promise<Proposal> => {
  const context = await getRegistryContext(workspaceId, [...listNamedVersions(graph), ...(before ? listNamedVersions(before) : [])]);
  const authority = (document: Graph) => readAuthority(buildPublishedGraph(document, context));

  return { graph, before, changes: diffAuthority(before && authority(before), authority(graph)), warnings };
};

export const toJobView = async (vault: Vault, workspaceId: string, job: ArchitectJob): Promise<JobView> => {
  const body = jobBody.open(vault, workspaceId, job.id, job.body);
  const result = job.result && jobResult.open(vault, workspaceId, job.id, job.result);
  const state = job.state && jobState.open(vault, workspaceId, job.id, job.state);
  const code = isJobCode(job.code) ? job.code : null;

  return {
    id: job.id,
    status: job.status,
    reason: code && JOB_CODES[code],
    code,
    attempt: job.attempt,
    attempts: MOST_ATTEMPTS,
    problems: job.problems,
    tokens: job.tokens,
    costMicroUsd: job.costMicroUsd,
    model: job.model,
    description: body?.description ?? "",
    untrusted: job.untrusted,
    graphId: job.graphId,
    proposal: body && result?.type === "graph" ? await proposalOf(workspaceId, result.graph, body.before, result.warnings) : null,
    tried: result?.tried ?? state?.tried ?? [],
  };
};

export type Accepted =
  | { readonly status: "saved"; readonly graphId: string; readonly revision: number }
  /** Saved since; nothing was overwritten. */
  | { readonly status: "conflict" };

/** Makes a draft. Validated again: registry and rows may have changed. */
export const acceptJob = async (vault: Vault, workspaceId: string, job: ArchitectJob): Promise<Accepted> => {
  const body = jobBody.open(vault, workspaceId, job.id, job.body);
  const result = job.result && jobResult.open(vault, workspaceId, job.id, job.result);
  if (job.status !== "done" || !body || result?.type !== "graph") throw new AppError("conflict", { message: "There is no graph to take." });
  const judged = judgeGraph(result.graph, body.before, await getRegistryContext(workspaceId, listNamedVersions(result.graph)));
  if (!judged.ok) throw new AppError("invalid_graph", { message: judged.problems[0]?.message ?? "The graph has problems by now." });
  const authored = { document: judged.graph, authorId: job.userId, drawnBy: { jobId: job.id, untrusted: job.untrusted } };
  if (job.graphId === null || job.revision === null) {
    const { id, revision } = await createGraph(workspaceId, authored).catch(alreadyTaken);

    return { status: "saved", graphId: id, revision };
  }
  const saved = await saveRevision(workspaceId, job.graphId, { ...authored, revision: job.revision }).catch(alreadyTaken);
  if (!saved) throw new AppError("not_found");

  return saved.ok ? { status: "saved", graphId: job.graphId, revision: saved.value } : { status: "conflict" };
};

/** A job becomes at most one revision. */
const alreadyTaken = (error: unknown): never => {
  const isTaken = error instanceof Error && "code" in error && error.code === "P2002";
  throw isTaken ? new AppError("conflict", { message: "This graph is a draft already." }) : error;
};
