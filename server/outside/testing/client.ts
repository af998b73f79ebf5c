/** Clients of the endpoint, for tests. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { jsonSchema, type Json, type JsonObject, isJsonObject } from "@/lib/json";

export type Called = { readonly payload: JsonObject; readonly isError: boolean; readonly texts: readonly string[] };

export const calledOf = (result: Pick<CallToolResult, "structuredContent" | "isError" | "content">): Called => {
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

/** The client of the 2.x line. @param mode the protocol of 2026-07-28, or the ones before it */
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
