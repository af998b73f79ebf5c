/** The only network access to user-configured addresses. Checks URL, every DNS answer, socket and redirect. */
import {
  Agent,
  buildConnector,
  Headers,
  fetch as undiciFetch,
  type RequestInit as UndiciInit,
  type Response as UndiciResponse,
} from "undici";
import { isPublicAddress } from "./address";
import { capBody } from "./egress-body";
import { createBlocked, createCheckedLookup, pinAnswers, resolveWithSystem, type MayReach, type Resolve } from "./egress-connect";
import { checkUrl, canBeAt, PUBLIC_ONLY, type EgressPolicy } from "./egress-url";

export type EgressOptions = {
  readonly policy?: EgressPolicy;
  readonly resolve?: Resolve;
  readonly connectTimeoutMs?: number;
  /** Until the response head. */
  readonly headTimeoutMs?: number;
  /** Event streams are quiet for long. */
  readonly idleTimeoutMs?: number;
  /** Of an event stream: per event. */
  readonly maxResponseBytes?: number;
  /** Of an event stream in all. Default: as `maxResponseBytes`. */
  readonly maxStreamBytes?: number;
  /** Names keep their first addresses until it closes. */
  readonly pinsNames?: true;
};

export type GuardedFetch = (input: string | URL, init?: UndiciInit) => Promise<UndiciResponse>;
export type Egress = { readonly fetch: GuardedFetch; readonly close: () => Promise<void> };

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Checks the socket's peer. */
const checkedConnector = (resolve: Resolve, mayReach: MayReach, timeoutMs: number): buildConnector.connector => {
  const connect = buildConnector({ lookup: createCheckedLookup(resolve, mayReach), timeout: timeoutMs });

  return (options, callback) =>
    connect(options, (error, socket) => {
      if (!socket) return callback(error ?? new Error("no socket"), null);
      const peer = socket.remoteAddress ?? "";
      if (mayReach(peer)) return callback(null, socket);
      socket.destroy();

      return callback(createBlocked(`connected to ${peer}`), null);
    });
};

/** Others could be credentials. */
const TRAVELS: ReadonlySet<string> = new Set(["accept", "accept-language", "mcp-protocol-version", "user-agent"]);

/** `null`: must not be followed. */
const nextHop = (from: URL, response: UndiciResponse, init: UndiciInit): { location: string; init: UndiciInit } | null => {
  const location = response.headers.get("location");
  const target = location === null ? null : URL.parse(location, from);
  const method = (init.method ?? "GET").toUpperCase();
  // Neither bodies nor credentials reach another origin.
  if (!target || (target.origin !== from.origin && method !== "GET" && method !== "HEAD")) return null;
  if (target.origin === from.origin) return { location: target.href, init };
  const headers = new Headers([...new Headers(init.headers)].filter(([name]) => TRAVELS.has(name)));

  return { location: target.href, init: { ...init, headers } };
};

/** Creates a guarded fetch. `redirect`: `manual` returns the 3xx, `error` throws, else checks hops. */
export const createEgress = (options: EgressOptions = {}): Egress => {
  const policy = options.policy ?? PUBLIC_ONLY;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
  const timeouts = { headersTimeout: options.headTimeoutMs ?? 30_000, bodyTimeout: options.idleTimeoutMs ?? 300_000 };
  const system = options.resolve ?? resolveWithSystem;
  const resolve = options.pinsNames ? pinAnswers(system) : system;
  const guard = (mayReach: MayReach) => new Agent({ ...timeouts, connect: checkedConnector(resolve, mayReach, connectTimeoutMs) });
  const guarded = guard(isPublicAddress);
  const opened = new Map(
    [...policy.allowOrigins, ...(policy.localOrigins ?? [])].map((origin) => [origin, guard(canBeAt(origin, policy))]),
  );
  const maxBytes = options.maxResponseBytes ?? 4_194_304;
  const maxStreamBytes = options.maxStreamBytes ?? maxBytes;

  const hop = async (input: string, init: UndiciInit, left: number): Promise<UndiciResponse> => {
    const checked = checkUrl(input, policy);
    if (!checked.ok) throw createBlocked(checked.error);
    const url = checked.value;
    const response = await undiciFetch(url, { ...init, redirect: "manual", dispatcher: opened.get(url.origin) ?? guarded });
    if (!REDIRECTS.has(response.status) || init.redirect === "manual") return capBody(response, maxBytes, maxStreamBytes);

    await response.body?.cancel();
    const next = init.redirect === "error" || left === 0 ? null : nextHop(url, response, init);
    if (!next) throw createBlocked("redirect not followed");

    return hop(next.location, next.init, left - 1);
  };

  return {
    fetch: (input, init = {}) => hop(String(input), init, MAX_REDIRECTS),
    close: async () => {
      await Promise.all([guarded, ...opened.values()].map((agent) => agent.destroy()));
    },
  };
};
