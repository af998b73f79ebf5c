/** One live connection: its catalog, kept fresh, and its calls, bounded. */
import { ProtocolError, SdkError, SdkErrorCode, type Implementation, type Tool } from "@modelcontextprotocol/client";
import { AppError } from "@/lib/errors";
import type { CallProof } from "@/lib/engine/outside/call-proof";
import type { HexDigest } from "@/lib/hash";
import type { JsonObject } from "@/lib/json";
import { DEFAULT_CALL_LIMITS, type CallLimits } from "@/lib/mcp/call-limits";
import { identityOf, type ServerIdentity } from "@/lib/mcp/identity";
import type { CallProgress } from "@/lib/mcp/progress";
import type { Clock } from "@/server/clock";
import { faultOutcome, outcomeOf, type ToolOutcome } from "./answer";
import { outputMatches } from "./arguments";
import { catalogOf, type Catalog } from "./catalog";
import type { Connected } from "./connect";
import type { Era } from "./connector";
import type { McpCall } from "./contract";
import { FORMS_ONLY, inputParams, inputRequiredOf } from "./input-required";
import { MCP_LIMITS } from "./limits";
import { redactText } from "./redact";
import { progressOf } from "./said-progress";
import { serverUnreachable } from "./server-failure";

export type ConnectionCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly meta: JsonObject;
  /** What a tool host demands. */
  readonly proof?: CallProof;
  /** What the server asked for when this call was made before. */
  readonly input?: McpCall["input"];
  /** Default: ours. */
  readonly limits?: CallLimits;
  /** Told whenever the server says how far it is. */
  readonly onProgress?: (progress: CallProgress) => void;
};

export type Connection = {
  /** Negotiated protocol version. */
  readonly protocol: string | null;
  readonly era: Era;
  /** Who the server says it is. */
  readonly identity: ServerIdentity | null;
  isOpen(): boolean;
  /** The tools as the server has them; listed again when it announced a change, after a while, or when `fresh`. @throws AppError("server_unreachable") */
  catalog(options: { fresh: boolean }): Promise<Catalog>;
  /** One call. Faults of the server are outcomes; only an aborted `signal` throws, its reason. */
  call(call: ConnectionCall, signal: AbortSignal): Promise<ToolOutcome>;
  close(): Promise<void>;
};

/** A connection of this process. */
export type LocalConnection = Connection & {
  /** Digest of the tool as the server listed it last; null when it did not. */
  listedDigest(tool: string): HexDigest | null;
};

export type ConnectionEvents = {
  /** Returns whether the server announced a change since it was last asked, and forgets it. */
  readonly takeStale: () => boolean;
  /** Called when the server ends the connection. */
  readonly onClosed?: () => void;
};

type Listing = { readonly at: number; readonly catalog: Catalog; readonly raw: ReadonlyMap<string, Tool> };

const faultOf = (error: unknown): ToolOutcome => {
  if (error instanceof ProtocolError) return faultOutcome("protocol_error");
  if (!(error instanceof SdkError)) return faultOutcome("connection_lost");
  if (error.code === SdkErrorCode.RequestTimeout) return faultOutcome("timeout");
  if (error.code === SdkErrorCode.UnsupportedResultType) return faultOutcome("input_required");
  if (error.code === SdkErrorCode.InvalidResult) return faultOutcome("result_invalid");

  return faultOutcome("connection_lost");
};

/** What the server calls itself, without anything that it was told. */
const saidIdentity = (said: Implementation | undefined, secrets: readonly string[]): ServerIdentity | null => {
  const identity = identityOf(said);

  return identity && { name: redactText(identity.name, secrets), version: redactText(identity.version, secrets) };
};

export const createConnection = (connected: Connected, clock: Clock, events: ConnectionEvents): LocalConnection => {
  const { client } = connected;
  let open = true;
  let listing: Listing | null = null;
  /** Whether the last list that was asked for came, and no change was announced since. */
  let isCurrent = false;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onclose = () => {
    open = false;
    events.onClosed?.();
  };

  const list = async (): Promise<Listing> => {
    try {
      const { tools } = await client.listTools(undefined, { timeout: MCP_LIMITS.listTimeoutMs, cacheMode: "refresh" });
      const catalog = catalogOf(tools, connected.secrets);
      if (!catalog.ok) throw new AppError("server_unreachable", { message: "The server's list of tools is malformed." });

      return { at: clock.now(), catalog: catalog.value, raw: new Map(tools.map((tool) => [tool.name, tool])) };
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
    listedDigest: (tool) => listing?.catalog.get(tool)?.digest ?? null,
    catalog: async ({ fresh }) => {
      if (events.takeStale()) isCurrent = false;
      const isRecent = listing !== null && clock.now() - listing.at <= MCP_LIMITS.definitionsMaxAgeMs;
      if (listing !== null && isCurrent && isRecent && !fresh) return listing.catalog;
      // A server that fails this list must not go on under the one before. Its definitions stay for the calls under way
      // beside this one, whose answers are held against them.
      isCurrent = false;
      const next = await list();
      listing = next;
      isCurrent = true;

      return next.catalog;
    },
    call: async (call, signal) => {
      signal.throwIfAborted();
      const { limits = DEFAULT_CALL_LIMITS } = call;
      // Its answer is held against the output schema here: the client takes a question for an answer that lacks its content.
      const { outputSchema, ...definition } = listing?.raw.get(call.tool) ?? {};
      const isModern = client.getProtocolEra() === "modern";
      const params = {
        name: call.tool,
        arguments: { ...call.arguments },
        _meta: { ...call.meta, ...(isModern ? FORMS_ONLY : {}) },
        ...inputParams(call.input),
      };
      // The client looks at the total only when progress comes, so that a call could take one silence longer.
      const total = AbortSignal.timeout(limits.total_ms);
      try {
        const result = await client.callTool(params, {
          allowInputRequired: isModern,
          signal: AbortSignal.any([signal, total]),
          timeout: limits.timeout_ms,
          resetTimeoutOnProgress: true,
          onprogress: (said) => {
            const progress = progressOf(said, (text) => redactText(text, connected.secrets));
            if (progress) call.onProgress?.(progress);
          },
          ...("name" in definition ? { toolDefinition: definition } : {}),
        });
        const asked = inputRequiredOf(result, connected.secrets);
        if (asked) return asked;
        if (!outputMatches(outputSchema, result)) return faultOutcome("result_invalid");

        return outcomeOf(result, connected.secrets, limits.max_result_bytes);
      } catch (error) {
        signal.throwIfAborted();

        return total.aborted ? faultOutcome("timeout") : faultOf(error);
      }
    },
    close: async () => {
      open = false;
      await connected.dispose();
    },
  };
};
