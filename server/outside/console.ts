import { ProtocolError } from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "@/lib/json";
import type { Role } from "@/lib/roles";
import type { SessionKey } from "@/server/security/session-key";
import { getAgentToken } from "@/server/store/agents/tokens";
import { callerByHand } from "./caller";
import { toPlain } from "./reports";
import { callTool, toWireAnswer } from "./server";

export type ByHand = {
  readonly workspaceId: string;
  readonly userId: string;
  readonly session: SessionKey;
  readonly role: Role;
  readonly tokenId: string;
  readonly graphId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly args: JsonObject;
  readonly signal: AbortSignal;
};

export type RawMessages = { readonly request: Json; readonly response: Json };

const ID = 1;

/** Calls a tool; null unless the token is this person's. */
export const callByHand = async (call: ByHand): Promise<RawMessages | null> => {
  const token = await getAgentToken(call.workspaceId, call.tokenId);
  const caller = token?.ownerId === call.userId ? await callerByHand(call.workspaceId, call, token, call.graphId, call.sessionId) : null;
  if (!caller) return null;
  const request = { jsonrpc: "2.0", id: ID, method: "tools/call", params: { name: call.tool, arguments: call.args } };
  try {
    const answer = await callTool({ caller, signal: call.signal, onProgress: async () => undefined }, call.tool, call.args);

    return { request, response: toPlain({ jsonrpc: "2.0", id: ID, result: toWireAnswer(caller.token, answer) }) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;

    return { request, response: { jsonrpc: "2.0", id: ID, error: { code: error.code, message: error.message } } };
  }
};
