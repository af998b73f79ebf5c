/** The port to MCP servers. Only this folder imports the MCP SDK. */
import type { AnsweredInput } from "@/lib/engine/approvals/asked-input";
import type { CallProofFault, CallProof } from "@/lib/engine/outside/call-proof";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import type { Json, JsonObject } from "@/lib/json";

export type McpCall = {
  readonly workspace: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Who calls: an agent id, or `node` for a tool node. Checked against the server's `allowed_agents`. */
  readonly caller: string;
  /** The digest pinned in the graph version; anything else is drift. */
  readonly definitionDigest: string;
  /** Names the effect here: in the ledger, in traces, in what is shown of its progress. */
  readonly effectId: string;
  /** Sent as `_meta["countersign/idempotency-key"]`; the same for each repetition of the call. */
  readonly idempotencyKey: string;
  /** Sent as `_meta["countersign/receipt"]` for effects a person approved. */
  readonly receipt: Receipt | null;
  /** The records that prove the call to a tool host, which makes none without them. */
  readonly proof?: CallProof;
  /** What a person said to what this call asked for before; `state` is the server's own, given back as it was. */
  readonly input?: AnsweredInput | null;
};

/** A tool as a graph version froze it, and who would call it. */
export type McpTarget = Pick<McpCall, "workspace" | "server" | "tool" | "caller" | "definitionDigest">;

/** What a server asks for before it goes on, as it sent it: nothing of it is read here. */
export type McpInputRequest = { readonly requests: Json; readonly state: string | null };

/** `result` and `request` are untrusted whatever they say. `unavailable`, `drifted`, `not_allowed` and `unauthorized`: nothing was called. */
export type McpAnswer =
  | { readonly status: "ok" | "tool_error"; readonly result: Json }
  | { readonly status: "input_required"; readonly result: null; readonly request: McpInputRequest }
  | { readonly status: "unavailable" | "drifted" | "not_allowed"; readonly result: null }
  | { readonly status: "unauthorized"; readonly result: null; readonly fault: CallProofFault };

export type Mcp = {
  call(call: McpCall, signal: AbortSignal): Promise<McpAnswer>;
  /** Whether a call could be made now: server active, agent allowed, definition as pinned. Calls nothing. */
  check(target: McpTarget): Promise<"ok" | "unavailable" | "drifted" | "not_allowed">;
  /** As `check`, by what the registry says alone: the server is not asked, so one that is out of reach for a moment is `ok`. */
  standing(target: McpTarget): Promise<"ok" | "unavailable" | "drifted" | "not_allowed">;
  close(): Promise<void>;
};
