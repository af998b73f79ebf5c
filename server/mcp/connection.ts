import { ProtocolError, SdkError, SdkErrorCode, type Client, type Implementation } from "@modelcontextprotocol/client";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CallProof } from "@/lib/engine/outside/call-proof";
import type { HexDigest } from "@/lib/hash";
import type { JsonObject } from "@/lib/json";
import { DEFAULT_CALL_LIMITS, type CallLimits } from "@/lib/mcp/call-limits";
import { toIdentity, type ServerIdentity } from "@/lib/mcp/identity";
import type { CallProgress } from "@/lib/mcp/progress";
import type { UnusableTool } from "@/lib/mcp/unusable-tool";
import type { Clock } from "@/server/clock";
import { toFaultOutcome, getOutcome, type ToolOutcome } from "./answer";
import { matchesOutput } from "./arguments";
import { buildCatalog, type Listed } from "./build-catalog";
import type { Catalog } from "./catalog";
import type { Connected } from "./connect";
import type { Era } from "./connector";
import type { McpCall } from "./contract";
import { FORMS_ONLY, toInputParams, toInputRequired } from "./input-required";
import { MCP_LIMITS } from "./limits";
import { redactText } from "./redact";
import { toProgress } from "./reported-progress";
import { createResourceReader, type ReadResource } from "./resource";
import { serverUnreachable } from "./server-failure";

export type ConnectionCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly meta: JsonObject;
  /** Required by a tool host. */
  readonly proof?: CallProof;
  readonly input?: McpCall["input"];
  readonly limits?: CallLimits;
  readonly onProgress?: (progress: CallProgress) => void;
};

export type Connection = {
  readonly protocol: string | null;
  readonly era: Era;
  /** Self-declared. */
  readonly identity: ServerIdentity | null;
  isOpen(): boolean;
  /** Relists when announced, old or `fresh`. @throws AppError("server_unreachable") */
  catalog(options: { fresh: boolean }): Promise<Catalog>;
  /** Of the latest listing. */
  unusable(): readonly UnusableTool[];
  /** Server faults are outcomes. @throws the signal's reason */
  call(call: ConnectionCall, signal: AbortSignal): Promise<ToolOutcome>;
  /** Subscribes to it where the server can. Faults are answers. */
  readonly readResource: ReadResource;
  close(): Promise<void>;
};

export type LocalConnection = Connection & {
  listedDigest(tool: string): HexDigest | null;
};

export type ConnectionEvents = {
  /** Returns and clears the flag. */
  readonly takeStale: () => boolean;
  readonly onClosed?: () => void;
  /** A resource that was read changed. */
  readonly onUpdated?: (uri: string) => void;
};

type Listing = Listed & { readonly at: number };

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().max(2_000).optional() });

/** The client refuses a whole list for one malformed tool, so it is read without the client's schema. */
const listLoosely = async (client: Client, cursor: string | null = null, pages = 1): Promise<readonly unknown[]> => {
  const params = cursor === null ? {} : { params: { cursor } };
  const { tools, nextCursor } = await client.request({ method: "tools/list", ...params }, pageSchema, {
    timeout: MCP_LIMITS.listTimeoutMs,
  });
  if (nextCursor === undefined || pages >= MCP_LIMITS.maxListPages) return tools;

  return [...tools, ...(await listLoosely(client, nextCursor, pages + 1))];
};

const listAll = async (client: Client): Promise<readonly unknown[]> => {
  try {
    return (await client.listTools(undefined, { timeout: MCP_LIMITS.listTimeoutMs, cacheMode: "refresh" })).tools;
  } catch (error) {
    if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) throw error;

    return listLoosely(client);
  }
};

const faultOf = (error: unknown): ToolOutcome => {
  if (error instanceof ProtocolError) return toFaultOutcome("protocol_error");
  if (!(error instanceof SdkError)) return toFaultOutcome("connection_lost");
  if (error.code === SdkErrorCode.RequestTimeout) return toFaultOutcome("timeout");
  if (error.code === SdkErrorCode.UnsupportedResultType) return toFaultOutcome("input_required");
  if (error.code === SdkErrorCode.InvalidResult) return toFaultOutcome("result_invalid");

  return toFaultOutcome("connection_lost");
};

/** Redacts secrets. */
const saidIdentity = (said: Implementation | undefined, secrets: readonly string[]): ServerIdentity | null => {
  const identity = toIdentity(said);

  return identity && { name: redactText(identity.name, secrets), version: redactText(identity.version, secrets) };
};

export const createConnection = (connected: Connected, clock: Clock, events: ConnectionEvents): LocalConnection => {
  const { client } = connected;
  let open = true;
  let listing: Listing | null = null;
  /** False once a change is announced. */
  let isCurrent = false;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onclose = () => {
    open = false;
    events.onClosed?.();
  };

  const list = async (): Promise<Listing> => {
    try {
      const listed = buildCatalog(await listAll(client), connected.secrets);
      if (!listed.ok) {
        throw new AppError("server_unreachable", {
          message: `The server lists more than ${MCP_LIMITS.maxTools} tools, the most that are allowed.`,
        });
      }

      return { ...listed.value, at: clock.now() };
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw serverUnreachable(await connected.failureOf(cause));
    }
  };

  return {
    protocol: client.getNegotiatedProtocolVersion() ?? null,
    era: connected.era,
    identity: saidIdentity(client.getServerVersion(), connected.secrets),
    isOpen: () => open,
    unusable: () => listing?.unusable ?? [],
    listedDigest: (tool) => listing?.catalog.get(tool)?.digest ?? null,
    catalog: async ({ fresh }) => {
      if (events.takeStale()) isCurrent = false;
      const isRecent = listing !== null && clock.now() - listing.at <= MCP_LIMITS.definitionsMaxAgeMs;
      if (listing !== null && isCurrent && isRecent && !fresh) return listing.catalog;
      // A server whose list fails must not continue; parallel answers need old definitions.
      isCurrent = false;
      const next = await list();
      listing = next;
      isCurrent = true;

      return next.catalog;
    },
    call: async (call, signal) => {
      signal.throwIfAborted();
      const { limits = DEFAULT_CALL_LIMITS } = call;
      // The client would reject questions for lacking content.
      const { outputSchema, ...definition } = listing?.raw.get(call.tool) ?? {};
      const isModern = client.getProtocolEra() === "modern";
      const params = {
        name: call.tool,
        arguments: { ...call.arguments },
        _meta: { ...call.meta, ...(isModern ? FORMS_ONLY : {}) },
        ...toInputParams(call.input),
      };
      // The client checks the total only on progress.
      const total = AbortSignal.timeout(limits.total_ms);
      try {
        const result = await client.callTool(params, {
          allowInputRequired: isModern,
          signal: AbortSignal.any([signal, total]),
          timeout: limits.timeout_ms,
          resetTimeoutOnProgress: true,
          onprogress: (said) => {
            const progress = toProgress(said, (text) => redactText(text, connected.secrets));
            if (progress) call.onProgress?.(progress);
          },
          ...("name" in definition ? { toolDefinition: definition } : {}),
        });
        const asked = toInputRequired(result, connected.secrets);
        if (asked) return asked;
        if (!matchesOutput(outputSchema, result)) return toFaultOutcome("result_invalid");

        return getOutcome(result, connected.secrets, limits.max_result_bytes);
      } catch (error) {
        signal.throwIfAborted();

        return total.aborted ? toFaultOutcome("timeout") : faultOf(error);
      }
    },
    readResource: createResourceReader({
      client,
      secrets: connected.secrets,
      clock,
      onUpdated: (uri) => events.onUpdated?.(uri),
    }),
    close: async () => {
      open = false;
      await connected.dispose();
    },
  };
};
