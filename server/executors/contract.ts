/**
 * What an executor gets and gives. Data is plain JSON that survives `structuredClone`; gateways are the only way to act,
 * and each of their calls is a proposal that the control plane decides. An executor holds no key and sees no store.
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
  /** The part of memory that agent and node may both read; nothing else of the state is here. */
  readonly view: JsonObject;
  /** The agent that the node itself stands for, if it is of such a kind. */
  readonly agent: Agent | null;
  /** The tools that this node may call, as pinned in the graph version. */
  readonly tools: readonly PinnedTool[];
  /** Every agent that may speak in this node's name, voters and judges included, with the tools it may call here. */
  readonly agents: readonly { readonly agent: Agent; readonly tools: readonly PinnedTool[]; readonly view: JsonObject }[];
  /** A map's worker: the node whose work is done once per item, and what it may see of memory. */
  readonly worker: {
    readonly node: GraphNode;
    readonly agent: Agent | null;
    readonly tools: readonly PinnedTool[];
    readonly view: JsonObject;
  } | null;
  /** Whether models are shown handles in place of what is untrusted: what an executor makes itself is for it to withhold. */
  readonly isolated: boolean;
  /** The conversations of this attempt so far, by task: not empty when the node is resumed, on any machine. */
  readonly threads: Readonly<Record<string, readonly ThreadMessage[]>>;
  /** Tasks of this attempt that have failed for good, with their codes. */
  readonly failedTasks: Readonly<Record<string, string>>;
  /** The models whose verdicts the open case of this visit still waits for. Each is shown `data` and nothing else. */
  readonly asked: readonly { readonly task: string; readonly agent: Agent; readonly instructions: string; readonly data: Json }[];
  /** What people asked to be changed before this attempt began. */
  readonly notes: readonly string[];
  /** Facts of earlier runs that the node was given. */
  readonly recalled: readonly { readonly topic: string; readonly text: string }[];
  /** Hexadecimal, fixed by run and activation: the only source of chance, so that a resumed search goes on as it began. */
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
 * Which part of a node's work a request belongs to (lib/engine/task): `""` is the node's own. Each task has its own
 * conversation, and the control plane derives from its name who speaks and what it may do.
 */
export type ToolRequest = {
  readonly task: string;
  readonly call_id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
};

/** Intent, receipt check, call and outcome of one tool call. Asking again for the same `call_id` returns the recorded answer. */
export type ToolGateway = { call(request: ToolRequest): Promise<ToolAnswer> };

export type ModelTool = { readonly name: string; readonly description: string; readonly input_schema: JsonObject };

export type ModelRequest = {
  readonly task: string;
  /** Which call of this task this is, from 0. */
  readonly step: number;
  readonly system: string;
  readonly prompt: string;
  readonly thread: readonly ThreadMessage[];
  /** The tool messages of `thread` since the last assistant message: recorded with this call. */
  readonly fresh: readonly ThreadMessage[];
  readonly tools: readonly ModelTool[];
  readonly answer: "text" | "json";
  /** Absent: the provider's own. */
  readonly temperature?: number;
};

export type ModelAnswer = { readonly status: "ok"; readonly text: string; readonly tool_calls: readonly ToolCall[] } | Refused;

/** One model call: reservation, call, record. @throws ModelError */
export type ModelGateway = { generate(request: ModelRequest): Promise<ModelAnswer> };

/** One control action while the node is still at work, such as `save_to_memory`. `action` is unparsed: the control plane parses. */
export type ActionGateway = { propose(action: unknown): Promise<{ readonly status: "ok" } | Refused> };

/** A part of the node's work has failed for good. It is recorded, so that a resumed node does not try it again. */
export type TaskGateway = { failed(task: string, code: string, detail: string): Promise<void> };

/** The model of this task has spoken: what its verdict is, the control plane reads in the record of its call. */
export type VerdictGateway = { given(task: string): Promise<{ readonly status: "ok" } | Refused> };

export type Gateways = {
  readonly tools: ToolGateway;
  readonly models: ModelGateway;
  readonly actions: ActionGateway;
  readonly tasks: TaskGateway;
  readonly verdicts: VerdictGateway;
};

/** What a node's work came to: actions that complete the node, or a failure that the failure policy deals with. */
export type ExecutorOutcome =
  | { readonly type: "result"; readonly actions: readonly unknown[] }
  | { readonly type: "failure"; readonly code: string; readonly retryable: boolean; readonly detail: string };

export type Executor = (input: ExecutorInput, gateways: Gateways, signal: AbortSignal) => Promise<ExecutorOutcome>;

/** One attempt at a node. `verification` asks the models who look at a call of the node before it is made. */
export type NodeWork = { readonly kind: "node" | "verification"; readonly input: ExecutorInput };

/** Has an attempt carried out, in a worker or in this process. @throws ModelError, Suspended, WorkerLost */
export type ExecuteNode = (work: NodeWork, gateways: Gateways, signal: AbortSignal) => Promise<ExecutorOutcome>;

/**
 * Of kinds whose work is a moment's computation, or nothing at all. It is given nothing to act with, so what it does can be done
 * again, and the run goes on from its outcome before that is stored.
 */
export type QuietExecutor = (input: ExecutorInput) => ExecutorOutcome;

/** Thrown by a gateway when the run now waits for people or has ended: executors let it pass. */
export class Suspended extends Error {
  constructor() {
    super("the run is suspended");
    this.name = "Suspended";
  }
}

/** The process that carried the attempt out ended, hung or broke its protocol. */
export class WorkerLost extends Error {
  constructor() {
    super("the worker is lost");
    this.name = "WorkerLost";
  }
}
