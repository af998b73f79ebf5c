/**
 * Executor contract. Data is plain JSON that survives `structuredClone`; every gateway call is a proposal that the control plane decides.
 * Executors hold no key and see no store.
 */
import type { Agent, GraphNode, PinnedTool } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import type { ByPerson, ThreadMessage, ToolCall } from "@/lib/engine/thread";

export type ExecutorInput = {
  readonly workspace: string;
  readonly run: string;
  readonly node: GraphNode;
  readonly activation: number;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly counters: { readonly iteration_count: number; readonly retry_count: number };
  /** Memory that both agent and node may read. */
  readonly view: JsonObject;
  /** The node's own agent, for kinds that have one. */
  readonly agent: Agent | null;
  /** Tools that this node may call, as pinned in the version. */
  readonly tools: readonly PinnedTool[];
  /** Agents that may speak in the node's name, including voters and judges, with their tools here. */
  readonly agents: readonly { readonly agent: Agent; readonly tools: readonly PinnedTool[]; readonly view: JsonObject }[];
  /** A map's worker node and its view of memory. */
  readonly worker: {
    readonly node: GraphNode;
    readonly agent: Agent | null;
    readonly tools: readonly PinnedTool[];
    readonly view: JsonObject;
  } | null;
  /** Whether models get handles for untrusted values; executors must withhold what they derive themselves. */
  readonly isolated: boolean;
  /** This attempt's conversations by task; not empty on resumption. */
  readonly threads: Readonly<Record<string, readonly ThreadMessage[]>>;
  /** Permanently failed tasks of this attempt, with codes. */
  readonly failedTasks: Readonly<Record<string, string>>;
  /** Models whose verdicts the visit's open case awaits; each is shown only `data`. */
  readonly asked: readonly { readonly task: string; readonly agent: Agent; readonly instructions: string; readonly data: Json }[];
  /** Changes requested by people before this attempt. */
  readonly notes: readonly string[];
  /** Recalled facts of earlier runs. */
  readonly recalled: readonly { readonly topic: string; readonly text: string }[];
  /** Hexadecimal, fixed by run and activation: the only source of randomness, so that resumed searches are deterministic. */
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

/**
 * The part of the node's work that a request belongs to (lib/engine/task): `""` is the node's own. Each task has its own conversation, and
 * its name determines speaker and rights.
 */
export type ToolRequest = {
  readonly task: string;
  readonly call_id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
};

/** One tool call: intent, receipt check, call, outcome. Repeating a `call_id` returns the recorded answer. */
export type ToolGateway = { call(request: ToolRequest): Promise<ToolAnswer> };

export type ModelTool = { readonly name: string; readonly description: string; readonly input_schema: JsonObject };

export type ModelRequest = {
  readonly task: string;
  /** Index of the call in this task. */
  readonly step: number;
  readonly system: string;
  readonly prompt: string;
  readonly thread: readonly ThreadMessage[];
  /** Tool messages since the last assistant message, recorded with this call. */
  readonly fresh: readonly ThreadMessage[];
  readonly tools: readonly ModelTool[];
  readonly answer: "text" | "json";
  /** Absent: the provider's default. */
  readonly temperature?: number;
};

export type ModelAnswer = { readonly status: "ok"; readonly text: string; readonly tool_calls: readonly ToolCall[] } | Refused;

/** One model call: reservation, call, record. @throws ModelError */
export type ModelGateway = { generate(request: ModelRequest): Promise<ModelAnswer> };

/** One control action during the work, such as `save_to_memory`. `action` is parsed by the control plane. */
export type ActionGateway = { propose(action: unknown): Promise<{ readonly status: "ok" } | Refused> };

/** Records a task's permanent failure, so that a resumed node does not retry it. */
export type TaskGateway = { failed(task: string, code: string, detail: string): Promise<void> };

/** Announces a task's verdict, which the control plane reads in its call's record. */
export type VerdictGateway = { given(task: string): Promise<{ readonly status: "ok" } | Refused> };

export type Gateways = {
  readonly tools: ToolGateway;
  readonly models: ModelGateway;
  readonly actions: ActionGateway;
  readonly tasks: TaskGateway;
  readonly verdicts: VerdictGateway;
};

/** Outcome of a node: completing actions, or a failure for the failure policy. */
export type ExecutorOutcome =
  | { readonly type: "result"; readonly actions: readonly unknown[] }
  | { readonly type: "failure"; readonly code: string; readonly retryable: boolean; readonly detail: string };

export type Executor = (input: ExecutorInput, gateways: Gateways, signal: AbortSignal) => Promise<ExecutorOutcome>;

/** One attempt at a node. `verification` asks the models that review a call before it is made. */
export type NodeWork = { readonly kind: "node" | "verification"; readonly input: ExecutorInput };

/** Carries out an attempt in a worker or this process. @throws ModelError, Suspended, WorkerLost */
export type ExecuteNode = (work: NodeWork, gateways: Gateways, signal: AbortSignal) => Promise<ExecutorOutcome>;

/** For kinds that compute without gateways. Repeatable, so the run continues from the outcome before it is stored. */
export type QuietExecutor = (input: ExecutorInput) => ExecutorOutcome;

/** Thrown by a gateway when the run waits for people or has ended; executors let it pass. */
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
