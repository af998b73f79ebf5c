import { Client, SdkHttpError, StreamableHTTPClientTransport, type FetchLike, type Transport } from "@modelcontextprotocol/client";
import { AppError } from "@/lib/errors";
import type { McpTransport } from "@/lib/mcp/transport";
import { createEgress, type GuardedFetch } from "@/server/security/egress";
import type { Resolve } from "@/server/security/egress-connect";
import { checkUrl, type EgressPolicy } from "@/server/security/egress-url";
import { outputValidator } from "./arguments";
import { createEgressBlocked } from "./blocked";
import type { Era, Opening } from "./connector";
import { openCredentials, type Credentials } from "./credentials";
import { MCP_LIMITS } from "./limits";
import type { StartContainer } from "./containers/client";
import { openContainer } from "./containers/open";
import { openProgram, type Opened, type ProgramOptions } from "./open-program";
import { checkManifest, resolveLaunch } from "./programs/launch";
import { redactText } from "./redact";
import { ServerFailure, serverUnreachable } from "./server-failure";
import { createSseTransport } from "./sse-transport";

export type ConnectOptions = ProgramOptions & {
  readonly resolve?: Resolve;
  readonly startContainer?: StartContainer | null;
};

export type Connected = {
  readonly client: Client;
  readonly era: Era;
  readonly secrets: readonly string[];
  failureOf(cause: unknown): Promise<ServerFailure>;
  dispose(): Promise<void>;
};

type OpeningBy<T extends McpTransport["type"]> = Opening & { readonly transport: Extract<McpTransport, { type: T }> };

type WithCredentials = (fetch: GuardedFetch, origin: string) => Credentials;

const NO_ANSWER: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

const isUnreachable = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : null;

  return cause instanceof Error && "code" in cause && NO_ANSWER.has(cause.code);
};

type HttpOptions = {
  readonly policy: EgressPolicy;
  readonly era?: Era;
  readonly resolve?: Resolve;
  readonly withCredentials?: WithCredentials;
};

/** @throws AppError("egress_blocked") */
export const openHttp = (text: string, { policy, era = "auto", resolve, withCredentials }: HttpOptions): Opened => {
  const url = checkUrl(text, policy);
  if (!url.ok) throw createEgressBlocked(url.error);
  const { maxMessageBytes: maxResponseBytes, maxStreamBytes } = MCP_LIMITS;
  const egress = createEgress({ policy, maxResponseBytes, maxStreamBytes, pinsNames: true, ...(resolve ? { resolve } : {}) });
  // Only a new connection, which compares the tools, resolves the name again.
  const reach: GuardedFetch = (input, init) =>
    egress.fetch(input, init).catch((error: unknown) => {
      if (isUnreachable(error)) void transport.close();
      throw error;
    });
  const credentials = withCredentials?.(reach, url.value.origin);
  // undici's and the DOM's types are not assignable.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fetch = (credentials?.fetch ?? reach) as unknown as FetchLike;

  const transport: Transport =
    era === "sse" ? createSseTransport(url.value, fetch) : new StreamableHTTPClientTransport(url.value, { fetch });

  return { transport, secrets: credentials?.secrets ?? [], dispose: egress.close };
};

const openStdio = async ({ transport, secrets, environment }: OpeningBy<"stdio">, options: ConnectOptions): Promise<Opened> => {
  const { manifest } = transport;
  const { program } = await checkManifest(manifest, options.installation);
  if (program.runs.kind === "image") return openContainer(program, manifest, secrets, options.startContainer ?? null);

  return openProgram({ manifest, launch: await resolveLaunch(manifest, options.installation), secrets, environment }, options);
};

type Open = (era: Era) => Promise<Opened>;

/** Undici and the client wrap what the guard throws. */
const blockedBy = (cause: unknown): AppError | null => {
  if (cause instanceof AppError && cause.code === "egress_blocked") return cause;

  return cause instanceof Error ? blockedBy(cause.cause) : null;
};

const statusOf = (cause: unknown): number | null => (cause instanceof SdkHttpError ? cause.status : null);

const attempt = async (open: Open, era: Era, onStale: () => void): Promise<Connected> => {
  const opened = await open(era);
  const client = new Client(
    { name: "countersign", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: era === "sse" ? "legacy" : era, probe: { timeoutMs: MCP_LIMITS.probeTimeoutMs } },
      inputRequired: { autoFulfill: false },
      listMaxPages: MCP_LIMITS.maxListPages,
      jsonSchemaValidator: outputValidator,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onStale } },
    },
  );
  // Wire faults surface through calls.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onerror = () => undefined;
  // It may repeat our secrets.
  const failureOf = async (cause: unknown): Promise<ServerFailure> =>
    new ServerFailure(redactText(String(cause), opened.secrets), (await opened.transport.failure?.()) ?? null, statusOf(cause));
  const dispose = async (): Promise<void> => {
    await client.close().catch(() => undefined);
    await opened.transport.close().catch(() => undefined);
    await opened.dispose();
  };
  try {
    await client.connect(opened.transport, { timeout: MCP_LIMITS.connectTimeoutMs });

    return { client, era, secrets: opened.secrets, failureOf, dispose };
  } catch (cause) {
    const failure = blockedBy(cause) ?? (cause instanceof AppError ? cause : await failureOf(cause));
    await dispose();
    throw failure;
  }
};

/** 4xx to the first POST is how the specification tells an older server. */
const isOlder = (cause: unknown): boolean =>
  cause instanceof ServerFailure &&
  cause.status !== null &&
  cause.status >= 400 &&
  cause.status < 500 &&
  ![401, 403, 429].includes(cause.status);

const nextEra = (era: Era, cause: unknown): Era | null => {
  if (era === "auto") return "legacy";

  return era === "legacy" && isOlder(cause) ? "sse" : null;
};

/** Connects; a failed probe is retried as legacy, a refused POST as SSE. @throws as `open`, or AppError("server_unreachable") */
export const connectBy = async (open: Open, era: Era, onStale: () => void): Promise<Connected> => {
  try {
    return await attempt(open, era, onStale);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const next = nextEra(era, cause);
    if (next) return connectBy(open, next, onStale);
    throw cause instanceof ServerFailure ? serverUnreachable(cause) : new AppError("server_unreachable", { cause });
  }
};

const isBy = <T extends McpTransport["type"]>(opening: Opening, type: T): opening is OpeningBy<T> => opening.transport.type === type;

const openWay = async (opening: Opening, options: ConnectOptions, era: Era): Promise<Opened> => {
  if (isBy(opening, "stdio")) return openStdio(opening, options);
  if (!isBy(opening, "http")) throw new AppError("manifest_invalid");

  return openHttp(opening.transport.url, {
    policy: options.egress,
    era,
    withCredentials: openCredentials(opening, { ...options, secrets: opening.secrets }),
    ...(options.resolve ? { resolve: options.resolve } : {}),
  });
};

/** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
export const connect = (opening: Opening, options: ConnectOptions, onStale: () => void): Promise<Connected> =>
  connectBy((era) => openWay(opening, options, era), opening.era, onStale);
