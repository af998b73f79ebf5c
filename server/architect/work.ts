import { judgeAnswer } from "@/lib/architect/judge-answer";
import { advanceAfterAnswer, FIRST, type LoopState } from "@/lib/architect/loop";
import { buildLeadText, buildPromptParts, buildSystemText } from "@/lib/architect/prompt";
import { listNamedVersions } from "@/lib/graph/publish";
import type { Clock } from "@/server/clock";
import {
  ModelError,
  type Estimate,
  type GenerateRequest,
  type GenerateResult,
  type Models,
  type ModelsFor,
} from "@/server/models/contract";
import { logModelFailure } from "@/server/failure-log";
import { wrapUntrusted } from "@/server/models/envelope";
import type { Vault } from "@/server/security/vault";
import {
  beginArchitectJob,
  endArchitectJob,
  noteArchitectAttempt,
  noteArchitectSpending,
  type ArchitectJob,
  type Spent,
} from "@/server/store/agents/architect-jobs";
import { getRegistryContext, type RegistryContext } from "@/server/store/mcp/registry-context";
import { jobBody, jobResult, jobState, type JobBody, type JobResult } from "./job";

export type ArchitectDeps = { readonly vault: Vault; readonly modelsFor: ModelsFor; readonly clock: Clock };

export const JOB_CODES = {
  given_up: "The model did not find a graph without problems in four attempts.",
  cancelled: "It was stopped.",
  interrupted: "The runner was interrupted too often while it worked on this.",
  unreadable: "The request can no longer be read.",
  time_limit: "It took longer than an architect may take.",
  token_limit: "It would have used more tokens than an architect may use.",
  model_unknown: "This model is not configured here.",
  model_not_allowed: "An admin has not allowed this model.",
  model_unusable: "The model's provider cannot be used as it is set up now.",
  model_price_unknown: "No price is known for this model, so it is not called.",
  model_failed: "The model's provider failed.",
  model_timeout: "The model did not answer in time.",
  model_rate_limited: "The model's provider asks to wait.",
  failed: "Something went wrong on our side.",
} as const satisfies Record<string, string>;
export type JobCode = keyof typeof JOB_CODES;

const CALL_MS = 180_000;
const WHOLE_MS = 600_000;
const MOST_TOKENS = 600_000;
const MOST_STARTS = 3;

type Ended = { readonly status: "done" | "failed" | "cancelled"; readonly code: JobCode | null; readonly result: JobResult | null };

const failed = (code: JobCode, result: JobResult | null = null): Ended => ({ status: "failed", code, result });

const isJobCode = (code: string): code is JobCode => Object.hasOwn(JOB_CODES, code);

const requestOf = (model: string, body: JobBody, state: LoopState, context: RegistryContext): GenerateRequest => ({
  model,
  agent: "architect",
  node: "architect",
  step: 0,
  system: buildSystemText(),
  prompt: [buildLeadText(body, state), ...buildPromptParts(body, state, context).map(({ type, value }) => wrapUntrusted(type, value))].join(
    "\n\n",
  ),
  thread: [],
  tools: [],
  answer: "json",
  timeoutMs: CALL_MS,
});

const plus = (spent: Spent, more: Estimate): Spent => ({
  tokens: spent.tokens + more.tokens,
  costMicroUsd: spent.costMicroUsd + more.cost_micro_usd,
});

const used = ({ usage }: GenerateResult): Estimate => ({
  tokens: usage.input_tokens + usage.output_tokens,
  cost_micro_usd: usage.cost_micro_usd,
});

type Call = { readonly text: string; readonly spent: Spent } | { readonly ended: Ended };

/** Records the worst-case cost before the call, the actual one after. */
const call = async (
  models: Models,
  { id, workspaceId: workspace }: ArchitectJob,
  request: GenerateRequest,
  spent: Spent,
  signal: AbortSignal,
): Promise<Call> => {
  try {
    const worst = plus(spent, models.estimate(request));
    if (worst.tokens > MOST_TOKENS) return { ended: failed("token_limit") };
    await noteArchitectSpending(id, worst);
    const result = await models.generate(request, signal);
    const after = plus(spent, used(result));
    await noteArchitectSpending(id, after);

    return { text: result.text, spent: after };
  } catch (error) {
    signal.throwIfAborted();
    logModelFailure({ workspace, run: null, node: null }, request.model, error);
    if (!(error instanceof ModelError)) throw error;
    // Otherwise the worst case stands.
    if (error.billed === "no") await noteArchitectSpending(id, spent);

    return { ended: failed(isJobCode(error.code) ? error.code : "model_failed") };
  }
};

const drawn = async (deps: ArchitectDeps, job: ArchitectJob, body: JobBody, startedAt: number, signal: AbortSignal): Promise<Ended> => {
  const { vault, clock } = deps;
  const named = body.before ? listNamedVersions(body.before) : [];
  let state = (job.state && jobState.open(vault, job.workspaceId, job.id, job.state)) ?? FIRST;
  let spent: Spent = { tokens: job.tokens, costMicroUsd: job.costMicroUsd };
  while (clock.now() - startedAt < WHOLE_MS) {
    // Reread per attempt, without revoked tools.
    const context = await getRegistryContext(job.workspaceId, named);
    const models = await deps.modelsFor(job.workspaceId);
    const answered = await call(models, job, requestOf(job.model, body, state, context), spent, signal);
    if ("ended" in answered) return answered.ended;
    spent = answered.spent;
    const step = advanceAfterAnswer(state, answered.text, judgeAnswer(answered.text, body.before, context));
    if (step.type === "done") {
      return {
        status: "done",
        code: null,
        result: { type: "graph", graph: step.graph, warnings: step.warnings.slice(0, 1_000), tried: step.tried },
      };
    }
    if (step.type === "given_up") return failed("given_up", { type: "problems", problems: [...step.problems], tried: step.tried });
    state = step.state;
    await noteArchitectAttempt(job.id, {
      attempt: state.attempt,
      problems: state.problems.length,
      state: jobState.seal(vault, job.workspaceId, job.id, state),
    });
  }

  return failed("time_limit");
};

const worked = async (deps: ArchitectDeps, job: ArchitectJob, signal: AbortSignal): Promise<Ended | null> => {
  if (job.cancelRequested) return { status: "cancelled", code: "cancelled", result: null };
  const begun = await beginArchitectJob(job.id, deps.clock.now());
  if (!begun) return null;
  if (begun.starts > MOST_STARTS) return failed("interrupted");
  const body = jobBody.open(deps.vault, job.workspaceId, job.id, job.body);

  return body ? drawn(deps, job, body, begun.startedAt, signal) : failed("unreadable");
};

export type Left = "cancelled" | "stopped";

/** Works on a job, resumable after every call. Aborting with `stopped` leaves it to the next runner. */
export const workOnJob = async (deps: ArchitectDeps, job: ArchitectJob, signal: AbortSignal): Promise<void> => {
  const end = ({ status, code, result }: Ended) =>
    endArchitectJob(
      job.id,
      { status, code, result: result && jobResult.seal(deps.vault, job.workspaceId, job.id, result) },
      deps.clock.now(),
    );
  try {
    const ended = await worked(deps, job, signal);
    if (ended) await end(ended);
  } catch (error) {
    if (signal.aborted && signal.reason === ("stopped" satisfies Left)) return;
    if (signal.aborted) {
      await end({ status: "cancelled", code: "cancelled", result: null });

      return;
    }
    await end(failed("failed"));
    throw error;
  }
};
