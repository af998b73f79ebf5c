/** Gateways of one attempt: each call is proposed first. */
import { decide } from "@/lib/engine/decide";
import { getProvider } from "@/lib/model-provider";
import { describeRefusal, refuse, type Refusal } from "@/lib/refusal";
import { isTerminal } from "@/lib/engine/event";
import type { OutageCause } from "@/lib/engine/outage-causes";
import { listModels } from "@/lib/engine/fallback";
import { getRunEnvironment } from "@/lib/environments/environment";
import { getPublishedHere } from "@/lib/engine/frame";
import { buildShownAnswer } from "@/lib/engine/executor-input";
import { findNote } from "@/lib/engine/approvals/notes";
import type { RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { listTaskArtifacts } from "@/lib/engine/task-artifacts";
import { buildView, findAgent, getContextLabel, getEffectiveGrants } from "@/lib/engine/view";
import { runsCode } from "@/lib/graph/kind-of";
import type { Speech } from "@/server/runner/said";
import type { GraphNode } from "@/lib/graph/document";
import type { BodyOf, WorkBody } from "@/lib/engine/proposal";
import type { RunnerDeps } from "@/server/runner/deps";
import { logModelFailure } from "@/server/failure-log";
import { getAvailability, performEffect, findRecordedAnswer } from "@/server/runner/effects";
import type { Committed, Session } from "@/server/runner/session";
import { fitThread } from "@/server/runner/fit-thread";
import { readModelFiles } from "@/server/runner/model-files";
import { limitToTokenCost } from "@/server/runner/token-limits";
import { Suspended, type Gateways, type ModelAnswer, type ModelRequest, type Refused, type ToolAnswer } from "@/server/executors/contract";
import { ModelError, type GenerateRequest, type GenerateResult, type Models } from "@/server/models/contract";
import { callKey } from "@/lib/engine/thread-of";

export type Attempt = { readonly node: GraphNode; readonly activation: number; readonly signal: AbortSignal };

const refused = (refusal: Refusal): Refused => ({
  status: "refused",
  code: refusal.code,
  message: describeRefusal(refusal),
  legal: refusal.legal,
});

type Spent = { readonly reservation: string; readonly answer: GenerateResult };
type Asked = Pick<ModelRequest, "task" | "step" | "fresh">;

const toNothing = (error: unknown): null => {
  if (error instanceof ModelError) return null;
  throw error;
};

const withNote = (refusal: Refusal, state: RunState): Refused => {
  const note = findNote(state, refusal);

  return { ...refused(refusal), ...(note === null ? {} : { by_person: { note } }) };
};

/** Retrying while an attempt is under way: another of its tasks waits for a provider. */
const isOver = ({ state: { status } }: Pick<Committed, "state">): boolean =>
  status === "waiting" || status === "retrying" || isTerminal(status);

export const createGateways = (deps: RunnerDeps, session: Session, attempt: Attempt): Gateways => {
  const { node, activation } = attempt;
  const published = getPublishedHere(session.root, session.state());
  const own = findAgent(published, node);
  const principal = { type: "executor", node: node.id, agent: own?.id ?? null, epoch: session.epoch } as const;
  const speaker = (task: string) => findTask(published, session.state(), node, task)?.agent ?? null;

  const propose = async (body: WorkBody): Promise<Committed> => {
    if (attempt.signal.aborted || session.state().status === "retrying") throw new Suspended();
    const committed = await session.submit({ principal, body });
    if (isOver(committed)) throw new Suspended();

    return committed;
  };

  /** Tried before a call waits: a refusal would be a record, and again one at its turn. */
  const isAccepted = (body: WorkBody): boolean => {
    const { workspace, run } = session.state();
    const [id, ...fresh] = [deps.clock.id(), deps.clock.id(), deps.clock.id()] as const;

    return decide(session.root, session.state(), { id, workspace, run, at: deps.clock.now(), principal, epoch: session.epoch, fresh, body })
      .ok;
  };

  /** Outcomes are recorded even after the attempt; only then it stops. */
  const settle = async (body: WorkBody): Promise<Committed> => {
    const committed = await session.submit({ principal, body });
    if (attempt.signal.aborted || isOver(committed)) throw new Suspended();

    return committed;
  };

  const shown = (task: string, callId: string, answer: ToolAnswer): ToolAnswer => {
    const state = session.state();
    const effect = Object.values(state.effects).find((one) => one.activation === activation && one.call_id === callId);
    if (answer.status === "refused" || !effect) return answer;

    return { ...answer, ...buildShownAnswer(published, state, node, { task, effect, result: answer.result }) };
  };

  const callTool = async (request: Parameters<Gateways["tools"]["call"]>[0]): Promise<ToolAnswer> =>
    shown(request.task, callKey(session.state(), request.task, request.call_id), await answerOf(request));

  const answerOf = async (request: Parameters<Gateways["tools"]["call"]>[0]): Promise<ToolAnswer> => {
    const callId = callKey(session.state(), request.task, request.call_id);
    const caller = speaker(request.task)?.id ?? "node";
    const known = Object.values(session.state().effects).find((effect) => effect.activation === activation && effect.call_id === callId);
    if (known && known.outcome !== null) return findRecordedAnswer(session.state(), known);
    if (known) return performEffect(deps, session, known, caller, attempt.signal);

    const pin = published.tools.find((tool) => tool.server === request.server && tool.tool === request.tool);
    const availability = await getAvailability(deps, session.state(), pin, caller);
    const body: BodyOf<"effect_intent"> = {
      kind: "effect_intent",
      activation,
      task: request.task,
      call_id: callId,
      server: request.server,
      tool: request.tool,
      arguments: request.arguments,
      availability,
    };
    if (session.state().status === "waiting" && !isAccepted(body)) throw new Suspended();
    const { verdict, state } = await propose(body);
    if (!verdict.ok) return withNote(verdict.refusal, state);
    const intended = Object.values(state.effects).find((effect) => effect.activation === activation && effect.call_id === callId);
    if (!intended) throw new Suspended();

    return performEffect(deps, session, intended, caller, attempt.signal);
  };

  /** Null while anything is under review: a stream must not tell reviewers of each other. */
  const describeSpeech = (task: string): Speech | null => {
    const state = session.state();
    if (Object.values(state.cases).some(({ status }) => status === "open")) return null;

    const label = getContextLabel(published, state, node, task);

    return { workspaceId: state.workspace, runId: state.run, node: node.id, isInner: state.frames.length > 0, task, label };
  };

  /** A call without an answer counts its reservation, unless it was certainly free. */
  const callModel = async (
    models: Models,
    call: GenerateRequest,
    task: string,
    { reservation, isShown }: { readonly reservation: string; readonly isShown: boolean },
  ): Promise<GenerateResult> => {
    try {
      return await models.generate(call, attempt.signal, deps.said?.begin(isShown ? describeSpeech(task) : null));
    } catch (error) {
      const { workspace, run } = session.state();
      if (!attempt.signal.aborted) logModelFailure({ workspace, run, node: node.id }, call.model, error);
      const billed = error instanceof ModelError ? error.billed : "maybe";
      const committed = await session.submit({
        principal,
        body: { kind: "model_failure", activation, task, reservation_id: reservation, billed },
      });
      // Asking again would cost again, even while another task waits for a person.
      const isTasks = error instanceof ModelError && !isTerminal(committed.state.status);
      if (attempt.signal.aborted || (isOver(committed) && !isTasks)) throw new Suspended();
      throw error;
    } finally {
      deps.said?.end(session.state().run, task);
    }
  };

  /** Records the wait, or the failure that ends it; either ends the attempt. */
  const waitForProvider = async (task: string, model: string, error: ModelError, cause: OutageCause): Promise<never> => {
    await propose({
      kind: "outage",
      activation,
      task,
      provider: getProvider(model),
      cause,
      code: error.code,
      detail: error.message,
      jitter: Math.random(),
      retry_after_ms: error.retryAfterMs,
    });
    throw new Suspended();
  };

  /** @param isShown as the agent's words */
  const spend = async (models: Models, call: GenerateRequest, task: string, isShown: boolean): Promise<Spent | Refused> => {
    const estimate = models.estimate(call);
    const reserved = await limitToTokenCost(deps, session, { costMicroUsd: estimate.cost_micro_usd, signal: attempt.signal }, () =>
      propose({ kind: "model_intent", activation, task, ...estimate }),
    );
    if (typeof reserved === "string") return refused(refuse(reserved));
    if (!reserved.verdict.ok) return refused(reserved.verdict.refusal);
    const reservation = reserved.verdict.events.find((event) => event.type === "budget_reserved")?.reservation_id ?? "";

    return { reservation, answer: await callModel(models, call, task, { reservation, isShown }) };
  };

  const fit = (models: Models, call: GenerateRequest, task: string): Promise<GenerateRequest | Refused> =>
    fitThread(call, {
      graph: published.graph,
      state: () => session.state(),
      task,
      activation,
      contextTokens: models.contextTokens(call.model),
      spend: (asked) => spend(models, asked, task, false),
      record: async (body) => {
        const { verdict } = await settle(body);

        return verdict.ok ? null : refused(verdict.refusal);
      },
    });

  const askModel = async (models: Models, call: GenerateRequest, { task, step, fresh }: Asked): Promise<ModelAnswer> => {
    const fitted = await fit(models, call, task);
    if ("status" in fitted) return fitted;
    const spent = await spend(models, fitted, task, true);
    if ("status" in spent) return spent;
    const { reservation, answer } = spent;
    const { text, tool_calls: toolCalls, truncated, reasoning, usage } = answer;
    const { verdict } = await settle({
      kind: "model_call",
      activation,
      task,
      step,
      reservation_id: reservation,
      fresh: [...fresh],
      text,
      tool_calls: [...toolCalls],
      ...(truncated ? { truncated } : {}),
      ...(reasoning === undefined ? {} : { reasoning }),
      usage,
    });

    return verdict.ok ? { status: "ok", text, tool_calls: toolCalls, truncated } : refused(verdict.refusal);
  };

  const generate: Gateways["models"]["generate"] = async (request): Promise<ModelAnswer> => {
    const agent = speaker(request.task);
    const { task, step, fresh: _fresh, ...asked } = request;
    const [first = "", fallback] = listModels(session.state(), agent, task);
    const call: Omit<GenerateRequest, "model"> = {
      ...asked,
      agent: agent?.id ?? "node",
      node: node.id,
      step,
      effort: agent?.effort,
      timeoutMs: agent?.timeout_ms ?? node.failure_policy.timeout_ms,
    };
    // Read per call, so that removed models are no longer called.
    const { workspace, start } = session.state();
    const models = await deps.modelsFor(workspace, getRunEnvironment(start));
    const files = await readModelFiles(deps.vault, workspace, listTaskArtifacts(published, session.state(), node, task), asked);
    const ask = (model: string) => askModel(models, { ...call, model, ...(files.length === 0 ? {} : { files }) }, request);
    try {
      return await ask(first);
    } catch (error) {
      if (!(error instanceof ModelError) || error.outage === null) throw error;
      // A fallback that fails too leaves the wait to the model that was chosen.
      const answer = fallback === undefined ? null : await ask(fallback).catch(toNothing);

      return answer ?? (await waitForProvider(task, first, error, error.outage));
    }
  };

  return {
    tools: { call: callTool },
    models: { generate },
    tasks: {
      failed: async (task, code, detail) => {
        await settle({ kind: "task_failure", activation, task, code, detail: detail.slice(0, 10_000) });
      },
    },
    ...(deps.code && runsCode(node)
      ? {
          code: {
            run: async () => {
              const { language, source, timeout_ms: timeoutMs } = node.config;
              const memory = buildView(published.graph, session.state(), getEffectiveGrants(published, node).read);
              const answer = await deps.code?.({ language, source, memory, timeoutMs }, attempt.signal);
              if (!answer || attempt.signal.aborted) throw new Suspended();

              return answer;
            },
          },
        }
      : {}),
    verdicts: {
      given: async (task) => {
        const { verdict } = await propose({ kind: "verdict", activation, task });
        // The last verdict closes the case, and the run continues from here.
        if (attempt.signal.aborted) throw new Suspended();

        return verdict.ok ? { status: "ok" } : refused(verdict.refusal);
      },
    },
    actions: {
      propose: async (action) => {
        const { verdict } = await propose({ kind: "action", activation, action });

        return verdict.ok ? { status: "ok" } : refused(verdict.refusal);
      },
    },
  };
};
