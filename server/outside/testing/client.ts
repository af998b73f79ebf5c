import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as OldTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { jsonSchema, type Json, type JsonObject, isJsonObject } from "@/lib/json";

const ROOT = path.resolve(import.meta.dirname, "../../..");

export type Called = { readonly payload: JsonObject; readonly isError: boolean; readonly texts: readonly string[] };

const calledOf = (result: Pick<CallToolResult, "structuredContent" | "isError" | "content">): Called => {
  const payload: Json = jsonSchema.parse(result.structuredContent ?? {});

  return {
    payload: isJsonObject(payload) ? payload : {},
    isError: result.isError === true,
    texts: result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  };
};

export type Driver = {
  readonly call: (name: string, args?: Record<string, Json>) => Promise<Called>;
  readonly protocol: string | undefined;
  readonly close: () => Promise<void>;
};

/** @param mode the protocol of 2026-07-28, or earlier ones */
export const connectModern = async (
  url: string,
  token: string,
  mode: "auto" | "legacy" = "auto",
): Promise<Driver & { readonly client: Client }> => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));

  return {
    client,
    protocol: client.getNegotiatedProtocolVersion(),
    call: async (name, args = {}) => calledOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};

const driverOfOld = async (transport: OldTransport): Promise<Driver> => {
  const client = new OldClient({ name: "test", version: "1" });
  await client.connect(transport);

  return {
    protocol: undefined,
    call: async (name, args = {}) => calledOf((await client.callTool({ name, arguments: args })) as CallToolResult),
    close: () => client.close(),
  };
};

export const connectOld = (url: string, token: string): Promise<Driver> =>
  driverOfOld(new OldHttp(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));

/** Connects over stdio, through `countersign mcp`. */
export const connectByBridge = (url: string, token: string, home: string): Promise<Driver> =>
  driverOfOld(
    new OldStdio({
      command: process.execPath,
      args: [path.join(ROOT, "bin/countersign.mjs"), "mcp", "--url", url, "--token-env", "AGENT_TOKEN"],
      env: { ...getDefaultEnvironment(), AGENT_TOKEN: token, COUNTERSIGN_HOME: home },
      stderr: "inherit",
    }),
  );

/** Posts one raw JSON-RPC message. */
export const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    body,
  });
