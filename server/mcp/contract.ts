/** The port to MCP servers. Only this folder imports the SDK. */
import type { AnsweredInput } from "@/lib/engine/approvals/pending-question";
import type { CallProofFault, CallProof } from "@/lib/engine/outside/call-proof";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import type { Json, JsonObject } from "@/lib/json";

export type McpCall = {
  readonly workspace: string;
  /** Absent outside runs. */
  readonly run?: string;
  /** The run's. Absent: secrets that environments share. */
  readonly environment?: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** An agent id, or `node`. */
  readonly caller: string;
  /** Any other digest is drift. */
  readonly definitionDigest: string;
  readonly effectId: string;
  /** Sent as `_meta["countersign/idempotency-key"]`; equal for repetitions. */
  readonly idempotencyKey: string;
  /** Sent as `_meta["countersign/receipt"]`. */
  readonly receipt: Receipt | null;
  /** Required by a tool host. */
  readonly proof?: CallProof;
  /** `state` goes back unchanged. */
  readonly input?: AnsweredInput | null;
};

export type McpTarget = Pick<McpCall, "workspace" | "run" | "environment" | "server" | "tool" | "caller" | "definitionDigest">;

/** Unread. */
export type McpInputRequest = { readonly requests: Json; readonly state: string | null };

/** `result` and `request` are untrusted. `unavailable`, `drifted`, `not_allowed`, `unauthorized`: nothing was called. */
export type McpAnswer =
  | { readonly status: "ok" | "tool_error"; readonly result: Json }
  | { readonly status: "input_required"; readonly result: null; readonly request: McpInputRequest }
  | { readonly status: "unavailable" | "drifted" | "not_allowed"; readonly result: null }
  | { readonly status: "unauthorized"; readonly result: null; readonly fault: CallProofFault };

export type Mcp = {
  call(call: McpCall, signal: AbortSignal): Promise<McpAnswer>;
  /** Calls nothing. */
  check(target: McpTarget): Promise<"ok" | "unavailable" | "drifted" | "not_allowed">;
  /** From the registry: unreachable is `ok`. */
  standing(target: McpTarget): Promise<"ok" | "unavailable" | "drifted" | "not_allowed">;
  close(): Promise<void>;
};
