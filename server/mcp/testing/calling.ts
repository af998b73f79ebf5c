import { randomUUID } from "node:crypto";
import type { JsonObject } from "@/lib/json";
import type { McpAnswer, McpCall } from "@/server/mcp/contract";
import type { McpService } from "@/server/mcp/service";
import { serverRow } from "./registered";

const PATIENCE_MS = 20_000;

/** A tool node's call, with `change` applied. */
export const callOf = async (
  mcp: McpService,
  workspace: string,
  server: string,
  tool: string,
  args: JsonObject,
  change: Partial<McpCall> = {},
): Promise<McpCall> => {
  const row = await serverRow(workspace, server, mcp);
  const definitionDigest = row.tools.find(({ name }) => name === tool)?.pinnedDigest ?? "0".repeat(64);

  return {
    workspace,
    server,
    tool,
    arguments: args,
    caller: "node",
    definitionDigest,
    effectId: randomUUID(),
    idempotencyKey: randomUUID(),
    receipt: null,
    ...change,
  };
};

export const callTool = async (
  mcp: McpService,
  workspace: string,
  server: string,
  tool: string,
  args: JsonObject,
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<McpAnswer> => mcp.call(await callOf(mcp, workspace, server, tool, args), signal);
