/** The port to MCP servers. Only this folder imports the MCP SDK. */
import type { AnsweredInput } from "@/lib/engine/approvals/pending-question";
import type { CallProofFault, CallProof } from "@/lib/engine/outside/call-proof";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import type { Json, JsonObject } from "@/lib/json";

export type McpCall = {
  readonly workspace: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Caller: an agent id, or `node` for a tool node; checked against the server's `allowed_agents`. */
  readonly caller: string;
  /** Digest pinned in the graph version; any other is drift. */
  readonly definitionDigest: string;
  /** Names the effect in ledger, traces and progress. */
  readonly effectId: string;
  /** Sent as `_meta["countersign/idempotency-key"]`; equal for each repetition of the call. */
  readonly idempotencyKey: string;
  /** Sent as `_meta["countersign/receipt"]` for approved effects. */
  readonly receipt: Receipt | null;
  /** Records that prove the call to a tool host, which otherwise refuses it. */
  readonly proof?: CallProof;
  /** A person's answer to this call's earlier question; `state` is returned to the server unchanged. */
  readonly input?: AnsweredInput | null;
};

/** A tool pinned in a version, and its caller. */
export type McpTarget = Pick<McpCall, "workspace" | "server" | "tool" | "caller" | "definitionDigest">;

/** A server's question as received, unread. */
export type McpInputRequest = { readonly requests: Json; readonly state: string | null };

/** `result` and `request` are untrusted. `unavailable`, `drifted`, `not_allowed` and `unauthorized`: nothing was called. */
export type McpAnswer =
  | { readonly status: "ok" | "tool_error"; readonly result: Json }
  | { readonly status: "input_required"; readonly result: null; readonly request: McpInputRequest }
  | { readonly status: "unavailable" | "drifted" | "not_allowed"; readonly result: null }
  | { readonly status: "unauthorized"; readonly result: null; readonly fault: CallProofFault };

export type Mcp = {
  call(call: McpCall, signal: AbortSignal): Promise<McpAnswer>;
  /** Returns whether a call could be made now: server active, agent allowed, definition as pinned. Calls nothing. */
  check(target: McpTarget): Promise<"ok" | "unavailable" | "drifted" | "not_allowed">;
  /** Like `check`, from the registry alone: a temporarily unreachable server is `ok`. */
  standing(target: McpTarget): Promise<"ok" | "unavailable" | "drifted" | "not_allowed">;
  close(): Promise<void>;
};
