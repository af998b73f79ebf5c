import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult, type ServerContext, type Tool } from "@modelcontextprotocol/server";
import { AppError } from "@/lib/errors";
import { toCanonicalJson } from "@/lib/json";
import { log } from "@/server/log";
import type { AgentToken } from "@/server/store/agents/tokens";
import { failed, toRefused } from "./answer";
import type { Caller } from "./caller";
import { recordDenied } from "./denied";
import { buildInstructions } from "./instructions";
import { allows } from "./place";
import { createProgress } from "./progress";
import { findPrompt, PROMPTS } from "./prompts";
import { readResource, RESOURCES } from "./resources";
import { createKeyedSemaphore } from "@/server/keyed-semaphore";
import { createSaidReader } from "./said";
import { OUTPUT_SCHEMA, type Answer, type Call } from "./tool";
import { withRoom } from "./token-limits";
import { TOOLS } from "./tools";

const listTools = (caller: Caller): Tool[] =>
  TOOLS.filter(({ scope }) => allows(caller, scope)).map(({ name, title, description, annotations, inputSchema }) => ({
    name,
    title,
    description,
    annotations,
    inputSchema: { ...inputSchema(caller), type: "object" },
    outputSchema: { ...OUTPUT_SCHEMA, type: "object" },
  }));

export const toWireAnswer = ({ singleBlock, strictErrors }: AgentToken, { headline, payload, kind }: Answer): CallToolResult => {
  const json = { type: "text", text: toCanonicalJson(payload) } as const;

  return {
    content: singleBlock ? [json] : [{ type: "text", text: headline }, json],
    structuredContent: { ...payload },
    isError: kind === "failure" || (strictErrors && kind === "refusal"),
  };
};

const callOf = (caller: Caller, { mcpReq }: Pick<ServerContext, "mcpReq">): Call => {
  const token = mcpReq._meta?.progressToken;
  const readSaid = createSaidReader(caller);
  const tell = createProgress((progress) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken: token ?? "", ...progress } }),
  );

  return {
    caller,
    signal: mcpReq.signal,
    onProgress: async (version, runId) => {
      if (token !== undefined) await tell(version, await readSaid(runId));
    },
  };
};

const brokenAnswer = (caller: Caller, error: unknown): Answer => {
  const nowhere = { caller, session: null, opened: null };
  if (error instanceof AppError && error.refusal) return toRefused(nowhere, { error: error.refusal, requested: null });
  log().error({ err: error }, "a tool of an outside agent failed");

  return failed(nowhere, { error: "internal", requested: null });
};

/** Each call reads a run, and batches arrive together. */
const perToken = createKeyedSemaphore(16);

export const callTool = async (call: Call, name: string, args: unknown): Promise<Answer> => {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  const { caller } = call;
  if (tool) {
    const run = async () => withRoom(caller, await tool.run(call, args ?? {}));

    return perToken.run(caller.token.id, call.signal, run).catch((error: unknown) => brokenAnswer(caller, error));
  }
  await recordDenied(
    { workspaceId: caller.workspaceId, tokenId: caller.token.id, sessionId: caller.transportSession, signer: caller.signer },
    "request",
  );
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
};

export const createServerFor = (caller: Caller): Server => {
  const server = new Server(
    { name: "countersign", title: caller.graph.published.graph.name, version: "1" },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: buildInstructions(caller) },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listTools(caller) }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    toWireAnswer(caller.token, await callTool(callOf(caller, context), params.name, params.arguments)),
  );
  server.setRequestHandler("prompts/list", () => ({ prompts: PROMPTS.map(({ wire }) => wire) }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const found = findPrompt(params.name, params.arguments ?? {});
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt, or its arguments do not fit.");

    return { description: found.description, messages: [{ role: "user", content: { type: "text", text: found.text(caller) } }] };
  });
  server.setRequestHandler("resources/list", () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params }, context) => {
    const run = () => readResource(callOf(caller, context), params.uri, null);
    const read = await perToken.run(caller.token.id, context.mcpReq.signal, run).catch((error: unknown) => {
      log().error({ err: error }, "a resource of an outside agent could not be read");

      return null;
    });
    if (!read) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is nothing here under that address.", { uri: params.uri });

    return { contents: [{ uri: params.uri, mimeType: read.mimeType, text: read.text }] };
  });

  return server;
};
