/** Tool hosts: separate processes, so that no server's code runs beside the keys. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { AppError } from "@/lib/errors";
import { countJsonBytes } from "@/lib/json";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import { computeDefinitionDigest } from "@/lib/mcp/definition";
import { isIsolated, type Isolation, type SandboxLevel } from "@/lib/mcp/isolation";
import type { CallProgress } from "@/lib/mcp/progress";
import type { UnusableTool } from "@/lib/mcp/unusable-tool";
import { readEnv } from "@/server/env";
import { PeerLost } from "@/server/ipc/errors";
import type { Handlers, Peer } from "@/server/ipc/peer";
import { createProcessPool, POOL_TIMES, type PoolTimes, type ProcessPool } from "@/server/ipc/process-pool";
import { spawnWithChannel, type ChannelProcess } from "@/server/ipc/spawn";
import { log } from "@/server/log";
import { toFaultOutcome, type ToolOutcome } from "@/server/mcp/answer";
import type { ConnectionCall } from "@/server/mcp/connection";
import type { Connector } from "@/server/mcp/connector";
import { connectToBroker } from "@/server/mcp/containers/socket";
import type { Installation } from "@/server/mcp/programs/installation";
import type { MailboxAnswer, ReadMailbox } from "@/server/mail/mailbox-request";
import type { Attempt, SendMail, SendMessage } from "@/server/notify/message";
import type { EgressPolicy } from "@/server/security/egress-url";
import { getHostKey, buildHostPolicy, getSenderKey, needsBroker } from "./key";
import { CONTAINERS_ARGUMENT, controlProtocol, hostProtocol, TOOL_HOST_LIMITS } from "./protocol";
import { toAppError } from "./remote-error";

/** Two attempts with a token each, after a process start. */
const OPEN_TIMEOUT_MS = 90_000;
const LIST_TIMEOUT_MS = 20_000;
/** A subscription and a read. */
const READ_TIMEOUT_MS = 40_000;
const CLOSE_TIMEOUT_MS = 10_000;
/** The host answers within a call's limit. */
const ANSWER_MARGIN_MS = 5_000;

/** A host's end takes its connections along. */
const TOOL_HOST_TIMES: PoolTimes = { ...POOL_TIMES, idleMs: 900_000 };

export type ToolHostsOptions = {
  readonly installation: Installation;
  readonly program: string;
  readonly isolation: Isolation | Promise<Isolation>;
  readonly sandboxLevel: SandboxLevel;
  readonly egress: EgressPolicy;
  readonly messages: EgressPolicy;
  readonly maxProcesses: number;
  readonly times?: PoolTimes;
};

export type ToolHosts = {
  readonly connector: Connector;
  readonly send: SendMessage;
  readonly mail: SendMail;
  readonly mailbox: ReadMailbox;
  pids(): readonly number[];
};

type HostPeer = Peer<typeof hostProtocol>;
type Pool = ProcessPool<typeof hostProtocol>;

/** No workspace's programs run beside the operator's SMTP password. */
const MAIL_HOST = "mail";

const UNSENT: Attempt = { ok: false, code: null, fault: "unreachable" };

/** Contains no secrets. */
const hostEnvironment = (home: string): Record<string, string> => {
  const { LOG_LEVEL, COUNTERSIGN_SERVER_UIDS: users, NODE_EXTRA_CA_CERTS: certificates } = readEnv();

  return {
    COUNTERSIGN_HOME: home,
    LOG_LEVEL,
    COUNTERSIGN_SERVER_UIDS: `${users.first}-${users.last}`,
    ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
  };
};

const egressOf = ({ allowOrigins, localOrigins, requireHttps }: EgressPolicy) => ({
  allowOrigins: [...allowOrigins],
  ...(localOrigins ? { localOrigins: [...localOrigins] } : {}),
  ...(requireHttps ? { requireHttps } : {}),
});

export const createToolHosts = (options: ToolHostsOptions): ToolHosts => {
  const { installation, sandboxLevel } = options;
  const at = { installation, policies: [options.egress, options.messages] };
  const progress = new Map<string, { readonly key: string; readonly note: (progress: CallProgress) => void }>();
  const open = new Map<string, { readonly key: string; readonly onClosed: () => void; readonly onUpdated: (uri: string) => void }>();
  /** For a host that starts next. */
  const brokers = new Map<string, Socket>();
  let isolation: Isolation | null = null;

  const start = (key: string | null): ChannelProcess => {
    if (key === null || isolation === null) throw new Error("a tool host starts for a connection");
    const scratch = fs.mkdtempSync(path.join(fs.realpathSync(installation.home), "scratch", "host-"));
    const remove = (): void => fs.rmSync(scratch, { recursive: true, force: true });
    const sandbox = sandboxLevel !== "off" && isIsolated(isolation) ? buildHostPolicy(key, scratch, installation) : null;
    const broker = brokers.get(key) ?? null;
    brokers.delete(key);
    if (needsBroker(key) && !broker) throw new AppError("containers_missing");
    const args = ["--enable-source-maps", options.program, scratch, ...(broker ? [CONTAINERS_ARGUMENT] : [])];
    const started = spawnWithChannel({ root: installation.root, args, env: hostEnvironment(installation.home), sandbox, broker });
    started.child.once("exit", remove);

    return started;
  };

  const handlersFor = (key: string): Handlers<typeof controlProtocol> => ({
    progress: async ({ call, progress: said }) => {
      const known = progress.get(call);
      if (known?.key === key) known.note(said);

      return null;
    },
    closed: async ({ connection }) => {
      const known = open.get(connection);
      if (known?.key === key) known.onClosed();

      return null;
    },
    updated: async ({ connection, uri }) => {
      const known = open.get(connection);
      if (known?.key === key) known.onUpdated(uri);

      return null;
    },
  });

  const pool: Pool = createProcessPool({
    name: "tool host",
    start,
    serves: controlProtocol,
    handlersFor,
    calls: hostProtocol,
    limits: TOOL_HOST_LIMITS,
    times: options.times ?? TOOL_HOST_TIMES,
    maxProcesses: options.maxProcesses,
  });

  /** Requires the same process: a restarted host does not know the connection. */
  const useSame = <T>(key: string, peer: HostPeer, work: () => Promise<T>): Promise<T> => {
    const reason = peer.lost();
    if (reason !== null) throw new PeerLost(reason);

    return pool.use(key, async (current) => {
      if (current !== peer) throw new PeerLost("closed");

      return work();
    });
  };

  const callTool = async (
    key: string,
    peer: HostPeer,
    connection: string,
    call: ConnectionCall,
    signal: AbortSignal,
  ): Promise<ToolOutcome> => {
    signal.throwIfAborted();
    const { tool, arguments: args, meta, input = null, limits = DEFAULT_CALL_LIMITS, proof = null, onProgress } = call;
    const id = randomUUID();
    if (onProgress) progress.set(id, { key, note: onProgress });
    const late = AbortSignal.timeout(limits.total_ms + ANSWER_MARGIN_MS);
    try {
      const request = { connection, call: id, tool, arguments: args, meta, input, limits, proof };
      const outcome = await useSame(key, peer, () => peer.call("call", request, AbortSignal.any([signal, late])));
      if (outcome.status === "unauthorized") log().error({ tool, fault: outcome.fault }, "a tool host refused a call without valid proof");

      return outcome.status === "ok" && countJsonBytes(outcome.result) > limits.max_result_bytes
        ? toFaultOutcome("value_too_large")
        : outcome;
    } catch {
      signal.throwIfAborted();

      return toFaultOutcome(late.aborted ? "timeout" : "connection_lost");
    } finally {
      progress.delete(id);
    }
  };

  const openConnection: Connector["open"] = async (opening, onUpdated) => {
    isolation ??= await options.isolation;
    const key = getHostKey(opening, at);
    const id = randomUUID();
    const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS);
    const request = { ...opening, connection: id, egress: egressOf(options.egress), isolation, sandboxLevel };
    let isClosed = false;
    let unusable: readonly UnusableTool[] = [];
    if (needsBroker(key)) {
      const broker = await connectToBroker(installation.home);
      brokers.get(key)?.destroy();
      brokers.set(key, broker);
    }
    open.set(id, { key, onClosed: () => (isClosed = true), onUpdated: (uri) => onUpdated?.(uri) });
    const { peer, facts } = await pool
      .use(key, async (current) => ({ peer: current, facts: await current.call("open", request, signal) }), signal)
      .catch((cause: unknown) => {
        open.delete(id);
        throw toAppError(cause);
      })
      .finally(() => {
        brokers.get(key)?.destroy();
        brokers.delete(key);
      });

    return {
      ...facts,
      isOpen: () => !isClosed && peer.lost() === null,
      catalog: async ({ fresh }) => {
        try {
          const within = AbortSignal.timeout(LIST_TIMEOUT_MS);
          const listed = await useSame(key, peer, () => peer.call("catalog", { connection: id, fresh }, within));
          ({ unusable } = listed);

          // Digests are computed here: the host's own would prove nothing.
          return new Map(listed.tools.map((definition) => [definition.name, { definition, digest: computeDefinitionDigest(definition) }]));
        } catch (cause) {
          throw toAppError(cause);
        }
      },
      unusable: () => unusable,
      call: (call, callSignal) => callTool(key, peer, id, call, callSignal),
      readResource: (uri, readSignal) => {
        const within = AbortSignal.any([readSignal, AbortSignal.timeout(READ_TIMEOUT_MS)]);

        return useSame(key, peer, () => peer.call("read", { connection: id, uri }, within)).catch(() => ({
          ok: false,
          fault: within.aborted ? "timeout" : "unreachable",
        }));
      },
      close: async () => {
        isClosed = true;
        open.delete(id);
        if (peer.lost() !== null) return;
        await useSame(key, peer, () => peer.call("close", { connection: id }, AbortSignal.timeout(CLOSE_TIMEOUT_MS))).catch(
          () => undefined,
        );
      },
    };
  };

  const sendFrom = async <T>(
    workspace: string,
    url: string,
    work: (peer: HostPeer, signal: AbortSignal) => Promise<T>,
    failed: T,
  ): Promise<T> => {
    try {
      isolation ??= await options.isolation;
      const key = getSenderKey(workspace, url, at);
      const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS);

      return await pool.use(key, (peer) => work(peer, signal), signal);
    } catch (error) {
      log().warn({ error: error instanceof Error ? error.name : "unknown" }, "a message was not sent or read because its tool host ended");

      return failed;
    }
  };

  return {
    connector: { open: openConnection, close: () => pool.close() },
    send: (workspaceId, message) =>
      sendFrom<Attempt>(
        workspaceId,
        message.url,
        (peer, signal) => peer.call("send", { ...message, headers: { ...message.headers }, egress: egressOf(options.messages) }, signal),
        UNSENT,
      ),
    mail: (request) =>
      sendFrom<Attempt>(MAIL_HOST, `smtp://relay:${request.server.port}`, (peer, signal) => peer.call("mail", request, signal), UNSENT),
    mailbox: (workspaceId, request) =>
      sendFrom<MailboxAnswer>(
        `${MAIL_HOST} ${workspaceId}`,
        `imap://server:${request.server.port}`,
        (peer, signal) => peer.call("mailbox", { ...request, egress: egressOf(options.messages) }, signal),
        { ok: false, fault: "unreachable" },
      ),
    pids: () => pool.pids(),
  };
};
