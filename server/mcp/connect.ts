/** Opens one MCP client: over a guarded fetch, or over a verified child process in a scratch folder of its own. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { Client, StreamableHTTPClientTransport, type FetchLike, type Transport } from "@modelcontextprotocol/client";
import { AppError } from "@/lib/errors";
import type { McpTransport } from "@/lib/mcp/transport";
import type { Clock } from "@/server/clock";
import { createEgress, type GuardedFetch } from "@/server/security/egress";
import { checkUrl, type EgressPolicy } from "@/server/security/egress-url";
import { outputValidator } from "./arguments";
import { egressBlocked } from "./blocked";
import { openCredentials, openEnvironment, type Credentials, type ReadSecret, type Way } from "./credentials";
import { MCP_LIMITS } from "./limits";
import { resolveLaunch, withInbox, type Installation } from "./manifest";
import { redactText } from "./redact";
import { createStdioTransport } from "./stdio-transport";

/** The environment of the one bundled server that needs any. Nothing else ever gets a variable of ours. */
export type BundledEnvironments = { readonly customers: () => Readonly<Record<string, string>> };

export type ConnectOptions = {
  readonly installation: Installation;
  readonly environments: BundledEnvironments;
  readonly egress: EgressPolicy;
  readonly secrets: ReadSecret;
  readonly clock: Clock;
};

/** One way to a server, not connected yet. */
export type Opened = { readonly transport: Transport; readonly secrets: readonly string[]; dispose(): Promise<void> };

export type Connected = {
  readonly client: Client;
  readonly era: "auto" | "legacy";
  /** Values that must never appear in anything this server answers. */
  readonly secrets: readonly string[];
  dispose(): Promise<void>;
};

type WayBy<T extends McpTransport["type"]> = Way & { readonly transport: Extract<McpTransport, { type: T }> };

/** What a server may hold in its heap before Node ends it. */
const MEMORY_FLAG = "--max-old-space-size=512";

type WithCredentials = (fetch: GuardedFetch, origin: string) => Credentials;

/** @throws AppError("egress_blocked") */
export const openHttp = (text: string, policy: EgressPolicy, withCredentials?: WithCredentials): Opened => {
  const url = checkUrl(text, policy);
  if (!url.ok) throw egressBlocked(url.error);
  const egress = createEgress({ policy, maxResponseBytes: MCP_LIMITS.maxMessageBytes });
  const credentials = withCredentials?.(egress.fetch, url.value.origin);
  // undici's types and the DOM's describe the same fetch, but not assignably so; the SDK uses what both have.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fetch = (credentials?.fetch ?? egress.fetch) as unknown as FetchLike;

  return {
    transport: new StreamableHTTPClientTransport(url.value, { fetch }),
    secrets: credentials?.secrets ?? [],
    dispose: egress.close,
  };
};

/** A connection string's password is a secret of its own: an error message may carry it alone. */
const secretsOf = (env: Readonly<Record<string, string>>): string[] => {
  const url = env["DATABASE_URL"];
  const password = url === undefined ? undefined : URL.parse(url)?.password;

  return [url, password].filter((secret): secret is string => secret !== undefined && secret.length >= 8);
};

/** The one server that checks receipts by itself. */
const isToldAnchor = (transport: McpTransport): boolean =>
  transport.type === "stdio" && transport.manifest.source === "bundled" && transport.manifest.id === "customers";

const openStdio = async (way: WayBy<"stdio">, options: ConnectOptions): Promise<Opened> => {
  const launch = await resolveLaunch(way.transport.manifest, options.installation);
  const own = isToldAnchor(way.transport) ? options.environments.customers() : {};
  const given = await openEnvironment(way, options.secrets);
  const folder = path.join(options.installation.home, "scratch");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(path.join(folder, "mcp-"));

  return {
    transport: createStdioTransport({
      command: process.execPath,
      args: [MEMORY_FLAG, launch.entry, ...launch.args],
      env: { ...withInbox(given.env, options.installation), ...own, HOME: scratch, TMPDIR: scratch },
      cwd: scratch,
      maxMessageBytes: MCP_LIMITS.maxMessageBytes,
    }),
    secrets: [...secretsOf(own), ...given.secrets],
    dispose: () => rm(scratch, { recursive: true, force: true }),
  };
};

type Open = () => Promise<Opened>;

const attempt = async (open: Open, era: "auto" | "legacy", onStale: () => void): Promise<Connected> => {
  const opened = await open();
  const client = new Client(
    { name: "countersign", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: era, probe: { timeoutMs: MCP_LIMITS.probeTimeoutMs } },
      inputRequired: { autoFulfill: false },
      listMaxPages: MCP_LIMITS.maxListPages,
      jsonSchemaValidator: outputValidator,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onStale } },
    },
  );
  // Faults of the wire surface through the calls that they break; here they only must not end the process.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onerror = () => undefined;
  const dispose = async (): Promise<void> => {
    await client.close().catch(() => undefined);
    await opened.transport.close().catch(() => undefined);
    await opened.dispose();
  };
  try {
    await client.connect(opened.transport, { timeout: MCP_LIMITS.connectTimeoutMs });

    return { client, era, secrets: opened.secrets, dispose };
  } catch (cause) {
    await dispose();
    // What a server says while it refuses us may hold what it was told.
    throw cause instanceof AppError ? cause : new Error(redactText(String(cause), opened.secrets));
  }
};

/**
 * Connects; a server that breaks on the version probe is tried once more in the legacy way, and `era` of the answer is what to
 * begin with next time.
 * @throws what `open` throws as an AppError, or AppError("server_unreachable")
 */
export const connectBy = async (open: Open, era: "auto" | "legacy", onStale: () => void): Promise<Connected> => {
  try {
    return await attempt(open, era, onStale);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (era === "legacy") throw new AppError("server_unreachable", { cause });
  }

  return connectBy(open, "legacy", onStale);
};

const isBy = <T extends McpTransport["type"]>(way: Way, type: T): way is WayBy<T> => way.transport.type === type;

const openWay = async (way: Way, options: ConnectOptions): Promise<Opened> => {
  if (isBy(way, "stdio")) return openStdio(way, options);
  if (!isBy(way, "http")) throw new AppError("manifest_invalid");

  return openHttp(way.transport.url, options.egress, await openCredentials(way, options));
};

/** A server of the registry. @throws AppError egress_blocked, manifest_invalid or server_unreachable */
export const connect = (way: Way, era: "auto" | "legacy", options: ConnectOptions, onStale: () => void): Promise<Connected> =>
  connectBy(() => openWay(way, options), era, onStale);
