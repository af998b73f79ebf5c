/** The gateways of one attempt at one node: each call becomes a proposal, and only what was accepted is done. */
import { refusalMessage, type Refusal } from "@/lib/refusal";
import { budgetRefusal } from "@/lib/engine/decide/node";
import { isTerminal } from "@/lib/engine/event";
import { agentOf } from "@/lib/engine/view";
import type { GraphNode } from "@/lib/graph/document";
import type { WorkBody } from "@/lib/engine/proposal";
import type { Committed } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { performEffect, recordedAnswer } from "@/server/runner/effects";
import type { Session } from "@/server/runner/session";
import { Suspended, type Gateways, type ModelAnswer, type Refused, type ToolAnswer } from "@/server/executors/contract";
import type { GenerateRequest } from "@/server/models/contract";
import { callKey } from "@/lib/engine/thread-of";

/** One attempt: when it is over, whatever its executor still asks for is not done. */
export type Attempt = { readonly node: GraphNode; readonly activation: number; readonly signal: AbortSignal };

const refused = (refusal: Refusal): Refused => ({
  status: "refused",
  code: refusal.code,
  message: refusalMessage(refusal),
  legal: refusal.legal,
});

export const createGateways = (deps: RunnerDeps, session: Session, attempt: Attempt): Gateways => {
  const { node, activation } = attempt;
  const agent = agentOf(session.published, node);
  const principal = { type: "executor", node: node.id, agent: agent?.id ?? null, epoch: session.epoch } as const;
  const caller = agent?.id ?? "node";

  const propose = async (body: WorkBody): Promise<Committed> => {
    if (attempt.signal.aborted) throw new Suspended();
    const committed = await session.submit({ principal, body });
    const { status } = committed.state;
    if (status === "waiting" || isTerminal(status)) throw new Suspended();

    return committed;
  };

  const callTool = async (request: Parameters<Gateways["tools"]["call"]>[0]): Promise<ToolAnswer> => {
    const callId = callKey(session.state(), request.call_id);
    const known = Object.values(session.state().effects).find((effect) => effect.activation === activation && effect.call_id === callId);
    if (known && known.outcome !== null) return recordedAnswer(session.state(), known);
    if (known) return performEffect(deps, session, known, caller, attempt.signal);

    const pin = session.published.tools.find((tool) => tool.server === request.server && tool.tool === request.tool);
    const availability = pin
      ? await deps.mcp.check({
          workspace: session.state().workspace,
          server: pin.server,
          tool: pin.tool,
          caller,
          definitionDigest: pin.definition_digest,
        })
      : "unavailable";
    const { verdict, state } = await propose({
      kind: "effect_intent",
      activation,
      call_id: callId,
      server: request.server,
      tool: request.tool,
      arguments: request.arguments,
      availability,
    });
    if (!verdict.ok) return refused(verdict.refusal);
    const intended = Object.values(state.effects).find((effect) => effect.activation === activation && effect.call_id === callId);
    if (!intended) throw new Suspended();

    return performEffect(deps, session, intended, caller, attempt.signal);
  };

  const generate: Gateways["models"]["generate"] = async (request): Promise<ModelAnswer> => {
    const call: GenerateRequest = {
      model: agent && agent.model !== "default" ? agent.model : (session.state().start?.model ?? ""),
      agent: caller,
      node: node.id,
      step: request.step,
      system: request.system,
      prompt: request.prompt,
      thread: request.thread,
      tools: request.tools,
      answer: request.answer,
      timeoutMs: agent?.timeout_ms ?? node.failure_policy.timeout_ms,
    };
    const estimate = deps.models.estimate(call);
    if (budgetRefusal(session.state(), estimate)) {
      const { verdict } = await propose({ kind: "model_intent", activation, ...estimate });
      if (!verdict.ok) return refused(verdict.refusal);
    }
    const { text, tool_calls: toolCalls, usage } = await deps.models.generate(call, attempt.signal);
    const { verdict } = await propose({
      kind: "model_call",
      activation,
      step: request.step,
      fresh: [...request.fresh],
      text,
      tool_calls: [...toolCalls],
      usage,
    });

    return verdict.ok ? { status: "ok", text, tool_calls: toolCalls } : refused(verdict.refusal);
  };

  return {
    tools: { call: callTool },
    models: { generate },
    actions: {
      propose: async (action) => {
        const { verdict } = await propose({ kind: "action", activation, action });

        return verdict.ok ? { status: "ok" } : refused(verdict.refusal);
      },
    },
  };
};
