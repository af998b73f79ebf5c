/** Executor contract: executors hold no key and see no store. */
import type { Variables } from "@/lib/environments/variables";
import type { Declared } from "@/lib/graph/condition";
import type { Agent, GraphNode, PinnedTool } from "@/lib/graph/document";
import type { Label } from "@/lib/graph/label";
import type { Json, JsonObject } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import type { ByPerson, ThreadMessage, ToolCall } from "@/lib/engine/thread";

export type QuietInput = {
  readonly workspace: string;
  readonly run: string;
  readonly node: GraphNode;
  readonly activation: number;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly counters: { readonly iteration_count: number; readonly retry_count: number };
  readonly view: JsonObject;
  readonly schemas: Readonly<Record<string, JsonObject>>;
  /** Schemas, labels by path and the environment's variables, for expressions. */
  readonly computed: {
    readonly declared: Declared;
    readonly labels: Readonly<Record<string, Label>>;
    readonly env?: Variables;
  } | null;
  readonly agent: Agent | null;
  readonly tools: readonly PinnedTool[];
  readonly agents: readonly { readonly agent: Agent; readonly tools: readonly PinnedTool[]; readonly view: JsonObject }[];
  readonly worker: {
    readonly node: GraphNode;
    readonly agent: Agent | null;
    readonly tools: readonly PinnedTool[];
    readonly view: JsonObject;
  } | null;
  /** Models get handles for untrusted values; executors withhold what they derive. */
  readonly isolated: boolean;
  /** By task; not empty on resumption. */
  readonly threads: Readonly<Record<string, readonly ThreadMessage[]>>;
  readonly failedTasks: Readonly<Record<string, string>>;
  /** Models whose verdicts the open case awaits; each sees only `data`. */
  readonly asked: readonly { readonly task: string; readonly agent: Agent; readonly instructions: string; readonly data: Json }[];
  readonly notes: readonly string[];
  readonly recalled: readonly { readonly topic: string; readonly text: string }[];
};

export type ExecutorInput = QuietInput & {
  /** Hexadecimal, the only source of randomness, so that resumed searches are deterministic. */
  readonly seed: string;
};

export type Refused = {
  readonly status: "refused";
  readonly code: RefusalCode;
  readonly message: string;
  readonly legal: readonly string[];
  readonly by_person?: ByPerson | undefined;
};

export type ToolAnswer =
  | { readonly status: "ok" | "tool_error"; readonly result: Json; readonly by_person?: ByPerson | undefined }
  | Refused;

/** `task` determines conversation, speaker and rights; `""` is the node's own work. */
export type ToolRequest = {
  readonly task: string;
  readonly call_id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
};

/** Repeating a `call_id` returns the recorded answer. */
export type ToolGateway = { call(request: ToolRequest): Promise<ToolAnswer> };

export type ModelTool = { readonly name: string; readonly description: string; readonly input_schema: JsonObject };

export type ModelRequest = {
  readonly task: string;
  readonly step: number;
  readonly system: string;
  readonly prompt: string;
  readonly thread: readonly ThreadMessage[];
  readonly fresh: readonly ThreadMessage[];
  readonly tools: readonly ModelTool[];
  readonly answer: "text" | "json";
  readonly answerSchema?: JsonObject;
  readonly temperature?: number;
};

export type ModelAnswer =
  | { readonly status: "ok"; readonly text: string; readonly tool_calls: readonly ToolCall[]; readonly truncated?: true | undefined }
  | Refused;

/** @throws ModelError */
export type ModelGateway = { generate(request: ModelRequest): Promise<ModelAnswer> };

/** `action` is parsed by the control plane. */
export type ActionGateway = { propose(action: unknown): Promise<{ readonly status: "ok" } | Refused> };

/** Records a permanent failure, so that a resumed node does not retry it. */
export type TaskGateway = { failed(task: string, code: string, detail: string): Promise<void> };

/** The control plane reads the verdict in its call's record. */
export type VerdictGateway = { given(task: string): Promise<{ readonly status: "ok" } | Refused> };

export type CodeFault = "code_failed" | "code_timeout" | "code_killed" | "code_output_invalid" | "code_unavailable";

export type CodeAnswer =
  | { readonly status: "ok"; readonly value: Json }
  | { readonly status: "failed"; readonly code: CodeFault; readonly line: number | null; readonly message: string };

export type CodeGateway = { run(): Promise<CodeAnswer> };

export type Gateways = {
  readonly tools: ToolGateway;
  readonly models: ModelGateway;
  readonly actions: ActionGateway;
  readonly tasks: TaskGateway;
  readonly verdicts: VerdictGateway;
  /** Absent: no code runs. */
  readonly code?: CodeGateway;
};

export type ExecutorOutcome =
  | { readonly type: "result"; readonly actions: readonly unknown[] }
  | { readonly type: "failure"; readonly code: string; readonly retryable: boolean; readonly detail: string };

export type Executor = (input: ExecutorInput, gateways: Gateways, signal: AbortSignal) => Promise<ExecutorOutcome>;

/** `verification` asks the models that review a call. */
export type NodeWork = { readonly kind: "node" | "verification"; readonly input: ExecutorInput };

/** Carries out an attempt. @throws ModelError, Suspended, WorkerLost */
export type ExecuteNode = (work: NodeWork, gateways: Gateways, signal: AbortSignal) => Promise<ExecutorOutcome>;

/** Computes without gateways. Repeatable, so the run continues before the outcome is stored. */
export type QuietExecutor = (buildInput: () => QuietInput) => ExecutorOutcome;

/** The run waits for people or has ended; executors let it pass. */
export class Suspended extends Error {
  constructor() {
    super("the run is suspended");
    this.name = "Suspended";
  }
}

/** The attempt's process ended, hung or broke its protocol. */
export class WorkerLost extends Error {
  constructor() {
    super("the worker is lost");
    this.name = "WorkerLost";
  }
}
