import { actionSchema } from "@/lib/engine/outside/action";
import type { ThreadMessage } from "@/lib/engine/thread";
import { agentSchema, graphSchema, pinnedToolSchema } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { isGranted, parsePath } from "@/lib/graph/path";
import { jsonSchema, type Json, type JsonObject } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import type { ExecutorInput, Gateways, ModelRequest, Refused } from "@/server/executors/contract";
import { writeGrants } from "@/server/executors/written";
import { createModels } from "@/server/models/sdk/in-process";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { DEMO_CUSTOMERS } from "@/server/seed/support-desk/customers";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";

const graph = graphSchema.parse(SUPPORT_DESK_GRAPH);
export const never = new AbortController().signal;
export const maria = DEMO_CUSTOMERS[0];
export const request = {
  email: maria.email,
  wish: "change_plan",
  plan: "team",
  credit_cents: 0,
  summary: "Asks to move to the team plan.",
};

const found = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error("the support desk has no such thing");

  return value;
};

export const FIND = pinnedToolSchema.parse({
  server: "customers",
  tool: "find_customer",
  definition_digest: "0".repeat(64),
  description: "Finds a customer by email",
  input_schema: { type: "object", properties: { email: { type: "string" } }, required: ["email"] },
  effect: "read",
  idempotent: true,
  output: "pii",
});

export const inputFor = (nodeId: string, view: JsonObject, changes: Partial<ExecutorInput> = {}): ExecutorInput => {
  const node = found(graph.nodes.find((one) => one.id === nodeId));
  const agentId = node.kind === "agent" ? node.config.agent_id : "";
  const agent = agentSchema.parse(SUPPORT_DESK_AGENTS.find((one) => one.id === agentId));

  return {
    workspace: "w",
    run: "r",
    node,
    activation: 0,
    goal: "",
    constraints: [],
    counters: { iteration_count: 0, retry_count: 0 },
    view,
    schemas: {},
    computed: null,
    agent,
    tools: agent.tools.length > 0 ? [FIND] : [],
    agents: [],
    worker: null,
    threads: {},
    failedTasks: {},
    asked: [],
    isolated: false,
    notes: [],
    recalled: [],
    seed: "5eed",
    ...changes,
  };
};

export const mailView = (mail: string): JsonObject => ({ mail: { content: mail } });
export const schemaOf = (key: string) => found(graph.memory.find((one) => one.key === key)).schema;
export const json = (value: unknown): Json => jsonSchema.parse(value);
export const toRefused = (code: RefusalCode): Refused => ({ status: "refused", code, message: code, legal: [] });

type Asked = { readonly what: string; readonly detail: unknown; readonly code: string };

/** Minimal control plane: grants and key schemas decide. */
export const plane = (input: ExecutorInput, model: string) => {
  const asked: Asked[] = [];
  const thread: ThreadMessage[] = [...(input.threads[""] ?? [])];
  const requests: ModelRequest[] = [];
  const models = createModels({});
  const writeCode = (path: string, value: Json): RefusalCode | null => {
    const key = graph.memory.find((one) => one.key === path.split(".")[0]);
    if (!key) return "key_undeclared";
    if (!isGranted(writeGrants(input), parsePath(path) ?? [])) return key.protected ? "key_protected" : "write_not_granted";

    return matchesSchema(key.schema, value, true) ? null : "value_invalid";
  };
  const gateways: Gateways = {
    tools: {
      call: async ({ server, tool, arguments: args }) => {
        const granted = input.tools.some((one) => one.server === server && one.tool === tool);
        asked.push({ what: `${server}__${tool}`, detail: args, code: granted ? "ok" : "tool_not_granted" });

        return granted ? { status: "ok", result: { ...maria } } : toRefused("tool_not_granted");
      },
    },
    actions: {
      propose: async (action) => {
        const parsed = actionSchema.safeParse(action);
        const code = !parsed.success
          ? "malformed"
          : parsed.data.type !== "update_memory"
            ? "action_not_granted"
            : parsed.data.updates.map(({ path, value }) => writeCode(path, json(value))).find((one) => one !== null);
        asked.push({ what: parsed.success ? parsed.data.type : "?", detail: action, code: code ?? "ok" });

        return code ? toRefused(code) : { status: "ok" };
      },
    },
    models: {
      generate: async (ask) => {
        requests.push(ask);
        const agent = found(input.agent).id;
        const answer = await models.generate({ ...ask, model, agent, node: input.node.id, timeoutMs: 5_000 }, never);
        // The next call records these instead of the provisional ones.
        thread.splice(thread.findLastIndex((message) => message.role === "assistant") + 1);
        thread.push(...ask.fresh, { role: "assistant", text: answer.text, tool_calls: [...answer.tool_calls] });

        return { status: "ok", text: answer.text, tool_calls: answer.tool_calls };
      },
    },
    tasks: { failed: () => Promise.resolve() },
    verdicts: { given: () => Promise.resolve({ status: "ok" as const }) },
  };

  return { gateways, asked, thread, requests };
};
