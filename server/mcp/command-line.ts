/** Command-line servers, of a type that the registry excludes. Answers are untrusted. */
import { AppError, ERRORS } from "@/lib/errors";
import { findDrift } from "@/lib/mcp/drift";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";
import { pinnedToolSchema, type PinnedTool, type ToolLabels } from "@/lib/graph/document";
import { getToolId } from "@/lib/graph/tool-ref";
import type { Clock } from "@/server/clock";
import { answerOf } from "./answer";
import { matchesArguments } from "./arguments";
import { computeDigests, type Catalog } from "./catalog";
import { connectBy, openHttp } from "./connect";
import type { Opened } from "./open-program";
import type { Era } from "./connector";
import { createConnection, type Connection } from "./connection";
import type { Mcp, McpAnswer } from "./contract";
import { MCP_LIMITS } from "./limits";
import { processFailureOf } from "./server-failure";
import { createStdioTransport } from "./stdio-transport";

export type CommandLineServer = { readonly id: string } & (
  | {
      readonly launch: {
        readonly command: string;
        readonly args: readonly string[];
        /** The complete environment. */
        readonly env: Readonly<Record<string, string>>;
        readonly cwd: string;
      };
    }
  | { readonly url: string }
);

export type CommandLineMcp = {
  readonly mcp: Mcp;
  /** Differences are drift. */
  readonly tools: readonly PinnedTool[];
};

type Server = { readonly connection: () => Promise<Connection>; readonly close: () => Promise<void> };
type Pinned = Server & { readonly catalog: Catalog; drifted: boolean };

const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

const openServer = async (server: CommandLineServer, era: Era): Promise<Opened> => {
  // Allows exactly the address's origin.
  if ("url" in server)
    return openHttp(server.url, { policy: { allowOrigins: URL.canParse(server.url) ? [new URL(server.url).origin] : [] }, era });
  const { env } = server.launch;
  const secrets = Object.entries(env).flatMap(([name, value]) => (SECRET_NAME.test(name) && value.length >= 8 ? [value] : []));

  return {
    transport: createStdioTransport({
      ...server.launch,
      secrets,
      maxMessageBytes: MCP_LIMITS.maxMessageBytes,
      // It runs with the operator's rights.
      sandbox: null,
    }),
    secrets,
    dispose: async () => undefined,
  };
};

const serverOf = (server: CommandLineServer, clock: Clock): Server => {
  let held: Promise<Connection> | null = null;
  const open = async (): Promise<Connection> => {
    let announced = false;
    const connected = await connectBy(
      (era) => openServer(server, era),
      "auto",
      () => {
        announced = true;
      },
    );

    const takeStale = (): boolean => {
      const before = announced;
      announced = false;

      return before;
    };

    return createConnection(connected, clock, { takeStale });
  };

  return {
    connection: async () => {
      const known = await held?.catch(() => null);
      if (known?.isOpen()) return known;
      await known?.close();
      held = open();

      return held;
    },
    close: async () => {
      const known = await held?.catch(() => null);
      await known?.close();
    },
  };
};

const pin = async (id: string, server: Server): Promise<Pinned> => {
  try {
    const connection = await server.connection();

    return { ...server, catalog: await connection.catalog({ fresh: true }), drifted: false };
  } catch (cause) {
    const why = cause instanceof AppError ? cause.message : ERRORS.server_unreachable.message;
    const output = processFailureOf(cause)?.output ?? "";
    const message = `${id}: ${why}${output === "" ? "" : ` The end of its error output:\n${output}`}`;
    throw new AppError("server_unreachable", { message, cause });
  }
};

type Target = Parameters<Mcp["check"]>[0];
type Ready = { readonly connection: Connection; readonly pinned: Pinned };

const prepare = async (
  servers: ReadonlyMap<string, Pinned>,
  target: Target,
  fresh: boolean,
): Promise<Ready | "unavailable" | "drifted"> => {
  const pinned = servers.get(target.server);
  if (!pinned) return "unavailable";
  if (pinned.drifted || pinned.catalog.get(target.tool)?.digest !== target.definitionDigest) return "drifted";
  try {
    const connection = await pinned.connection();
    // A drifted server stays out for the rest of the run.
    pinned.drifted ||= findDrift(computeDigests(pinned.catalog), computeDigests(await connection.catalog({ fresh }))).length > 0;

    return pinned.drifted ? "drifted" : { connection, pinned };
  } catch {
    return "unavailable";
  }
};

const portOf = (servers: ReadonlyMap<string, Pinned>): Mcp => ({
  check: async (target) => {
    const ready = await prepare(servers, target, false);

    return typeof ready === "string" ? ready : "ok";
  },
  // The first list is authoritative.
  standing: async ({ server, tool, definitionDigest }) =>
    servers.get(server)?.catalog.get(tool)?.digest === definitionDigest ? "ok" : "drifted",
  call: async (call, signal): Promise<McpAnswer> => {
    signal.throwIfAborted();
    const ready = await prepare(servers, call, true);
    if (typeof ready === "string") return { status: ready, result: null };
    const schema = ready.pinned.catalog.get(call.tool)?.definition.input_schema;
    if (schema === undefined || !matchesArguments(schema, call.arguments)) {
      return {
        status: "tool_error",
        result: { error: { code: "arguments_invalid", message: "The arguments do not match the pinned schema." } },
      };
    }
    const meta = { [IDEMPOTENCY_KEY]: call.idempotencyKey, ...(call.receipt ? { [RECEIPT]: call.receipt } : {}) };

    return answerOf(await ready.connection.call({ tool: call.tool, arguments: call.arguments, meta, input: call.input }, signal)).answer;
  },
  close: async () => {
    await Promise.all([...servers.values()].map((server) => server.close()));
  },
});

const toolsOf = (server: string, { catalog }: Pinned, labels: Readonly<Record<string, Partial<ToolLabels>>>): PinnedTool[] =>
  [...catalog.values()].map(({ definition, digest }) =>
    pinnedToolSchema.parse({
      server,
      tool: definition.name,
      definition_digest: digest,
      description: definition.description,
      input_schema: definition.input_schema,
      // A server's hints lower nothing.
      effect: "irreversible",
      idempotent: false,
      ...(Object.hasOwn(labels, getToolId(server, definition.name)) ? labels[getToolId(server, definition.name)] : {}),
    }),
  );

/**
 * Starts the servers and pins their tools.
 * @param labels by `server__tool`
 * @param onOpen gets the closing function first
 * @throws AppError("server_unreachable")
 */
export const openCommandLineMcp = async (
  servers: readonly CommandLineServer[],
  labels: Readonly<Record<string, Partial<ToolLabels>>>,
  clock: Clock,
  onOpen: (close: () => Promise<void>) => void,
): Promise<CommandLineMcp> => {
  const all = servers.map((server) => ({ id: server.id, server: serverOf(server, clock) }));
  onOpen(async () => {
    await Promise.all(all.map(({ server }) => server.close()));
  });
  const pinned = new Map(await Promise.all(all.map(async ({ id, server }) => [id, await pin(id, server)] as const)));

  return { mcp: portOf(pinned), tools: [...pinned].flatMap(([id, server]) => toolsOf(id, server, labels)) };
};
