import type { ThreadMessage, ToolCall } from "@/lib/engine/thread";
import { agentSchema, nodeSchema, type GraphNode, type PinnedTool } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";
import {
  Suspended,
  type ExecutorInput,
  type ExecutorOutcome,
  type Gateways,
  type ModelRequest,
  type ToolAnswer,
  type ToolRequest,
} from "@/server/executors/contract";
import { getExecutor } from "@/server/executors/registry";
import { never } from "@/server/executors/testing/plane";
import { readEnvelopes, type EnvelopeType } from "@/server/models/envelope";

export const findNode = (node: object, id = "node"): GraphNode => nodeSchema.parse({ ...node, id });

export const findAgent = (id: string) => agentSchema.parse({ id, name: id, system_prompt: `You are ${id}.`, max_steps: 5 });

/** @param speakers besides the node's own agent */
export const stageInput = (node: GraphNode, view: JsonObject, speakers: readonly string[] = [], changes: Partial<ExecutorInput> = {}) => ({
  workspace: "w",
  run: "r",
  node,
  activation: 0,
  goal: "the goal",
  constraints: [],
  counters: { iteration_count: 0, retry_count: 0 },
  view,
  schemas: {},
  computed: null,
  agent: null,
  tools: [],
  agents: speakers.map((id) => ({ agent: findAgent(id), tools: [], view })),
  worker: null,
  threads: {},
  failedTasks: {},
  asked: [],
  isolated: false,
  notes: [],
  recalled: [],
  seed: "5eed",
  ...changes,
});

export const workerOf = (node: GraphNode, tools: readonly PinnedTool[] = []): NonNullable<ExecutorInput["worker"]> => ({
  node,
  agent: node.kind === "agent" ? findAgent("worker") : null,
  tools,
  view: {},
});

export type Line = string | { readonly calls: readonly ToolCall[]; readonly text?: string };

export type Cast = {
  readonly model?: (request: ModelRequest) => Line | Promise<Line>;
  readonly tool?: (request: ToolRequest) => ToolAnswer;
  readonly action?: (action: unknown) => Awaited<ReturnType<Gateways["actions"]["propose"]>>;
  readonly suspendAt?: number;
};

export const shown = (request: ModelRequest, type: EnvelopeType): Json | undefined => readEnvelopes(request.prompt, type)[0];

/** Plays one attempt. */
export const stage = (input: ExecutorInput, cast: Cast) => {
  const threads: Record<string, ThreadMessage[]> = Object.fromEntries(
    Object.entries(input.threads).map(([task, thread]) => [task, [...thread]]),
  );
  const failed: Record<string, string> = { ...input.failedTasks };
  const answers = new Map<string, ToolAnswer>();
  const requests: ModelRequest[] = [];
  const calls: ToolRequest[] = [];
  const actions: unknown[] = [];
  let asked = 0;
  const enter = (): void => {
    asked += 1;
    if (cast.suspendAt !== undefined && asked > cast.suspendAt) throw new Suspended();
  };
  const gateways: Gateways = {
    models: {
      generate: async (request) => {
        enter();
        requests.push(request);
        const line = await (cast.model?.(request) ?? "");
        const { text = "", calls: made = [] } = typeof line === "string" ? { text: line } : line;
        const before = threads[request.task] ?? [];
        const spoken = before.slice(0, before.findLastIndex((message) => message.role === "assistant") + 1);
        threads[request.task] = [...spoken, ...request.fresh, { role: "assistant", text, tool_calls: [...made] }];

        return { status: "ok", text, tool_calls: made };
      },
    },
    tools: {
      call: async (request) => {
        enter();
        const key = `${request.task}/${request.call_id}`;
        const known = answers.get(key);
        if (known) return known;
        calls.push(request);
        const answer = cast.tool?.(request) ?? { status: "ok", result: {} };
        if (answer.status !== "refused") answers.set(key, answer);

        return answer;
      },
    },
    actions: {
      propose: async (action) => {
        enter();
        actions.push(action);

        return cast.action?.(action) ?? { status: "ok" };
      },
    },
    verdicts: { given: () => Promise.resolve({ status: "ok" as const }) },
    tasks: {
      failed: async (task, code) => {
        enter();
        failed[task] = code;
      },
    },
  };
  const play = (signal: AbortSignal = never): Promise<ExecutorOutcome> => {
    return getExecutor(input.node.kind)(input, gateways, signal);
  };

  return { play, gateways, requests, calls, actions, failed, threads, count: () => asked };
};
