/**
 * The only way out to the network for addresses that people configure. Four checks: the URL, every answer of the resolver,
 * the address of the connected socket, and each redirect. undici's own fetch and Agent, because its lookup hook is what pins
 * the address, and because that hook is not called for literals the URL check stands in front of it.
 */
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import {
  Agent,
  buildConnector,
  Headers,
  fetch as undiciFetch,
  type RequestInit as UndiciInit,
  type Response as UndiciResponse,
} from "undici";
import { AppError } from "@/lib/errors";
import { isPublicAddress } from "./address";
import { capBody } from "./egress-body";
import { checkUrl, mayBeAt, PUBLIC_ONLY, type EgressPolicy } from "./egress-url";

export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export type EgressOptions = {
  readonly policy?: EgressPolicy;
  readonly resolve?: Resolve;
  readonly connectTimeoutMs?: number;
  /** Until the head of the answer is here. */
  readonly headTimeoutMs?: number;
  /** Between two chunks of the answer; event streams are quiet for long. */
  readonly idleTimeoutMs?: number;
  readonly maxResponseBytes?: number;
};

export type GuardedFetch = (input: string | URL, init?: UndiciInit) => Promise<UndiciResponse>;
export type Egress = { readonly fetch: GuardedFetch; readonly close: () => Promise<void> };

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const blocked = (detail: string): AppError => new AppError("egress_blocked", { cause: new Error(detail) });

const systemResolve: Resolve = (host) => systemLookup(host, { all: true });

type MayReach = (address: string) => boolean;

/** Refuses when any answer is not one of them: a name that resolves to both kinds is an attack, not a preference. */
const checkedLookup = (resolve: Resolve, mayReach: MayReach): LookupFunction => {
  const goodAnswers = callbackify(async (host: string) => {
    const answers = await resolve(host);
    const bad = answers.find(({ address }) => !mayReach(address));
    const [first] = answers;
    if (bad || !first) throw blocked(`${host} resolves to ${bad?.address ?? "nothing"}`);

    return { first, all: [...answers] };
  });

  return (host, options, callback) =>
    goodAnswers(host, (error, answers) => {
      if (error) return callback(error, "");
      if (options.all) return callback(null, answers.all);

      return callback(null, answers.first.address, answers.first.family);
    });
};

/** Checks the socket once more after connecting: whatever happened in between, this is the peer. */
const checkedConnector = (resolve: Resolve, mayReach: MayReach, timeoutMs: number): buildConnector.connector => {
  const connect = buildConnector({ lookup: checkedLookup(resolve, mayReach), timeout: timeoutMs });

  return (options, callback) =>
    connect(options, (error, socket) => {
      if (!socket) return callback(error ?? new Error("no socket"), null);
      const peer = socket.remoteAddress ?? "";
      if (mayReach(peer)) return callback(null, socket);
      socket.destroy();

      return callback(blocked(`connected to ${peer}`), null);
    });
};

/** What a request may say of itself to an origin that it was not made for: anything else could be a credential. */
const TRAVELS: ReadonlySet<string> = new Set(["accept", "accept-language", "mcp-protocol-version", "user-agent"]);

/** The request for the next hop, or `null` when the redirect must not be followed. */
const nextHop = (from: URL, response: UndiciResponse, init: UndiciInit): { location: string; init: UndiciInit } | null => {
  const location = response.headers.get("location");
  const target = location === null ? null : URL.parse(location, from);
  const method = (init.method ?? "GET").toUpperCase();
  // A body or a credential never travels to an origin it was not meant for.
  if (!target || (target.origin !== from.origin && method !== "GET" && method !== "HEAD")) return null;
  if (target.origin === from.origin) return { location: target.href, init };
  const headers = new Headers([...new Headers(init.headers)].filter(([name]) => TRAVELS.has(name)));

  return { location: target.href, init: { ...init, headers } };
};

/** A fetch that reaches public addresses only. `redirect` of `init`: `manual` hands the 3xx back, `error` throws, else it is followed with every check again. */
export const createEgress = (options: EgressOptions = {}): Egress => {
  const policy = options.policy ?? PUBLIC_ONLY;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
  const timeouts = { headersTimeout: options.headTimeoutMs ?? 30_000, bodyTimeout: options.idleTimeoutMs ?? 300_000 };
  const guard = (mayReach: MayReach) =>
    new Agent({ ...timeouts, connect: checkedConnector(options.resolve ?? systemResolve, mayReach, connectTimeoutMs) });
  const guarded = guard(isPublicAddress);
  /** For origins that are opened for the network around us. */
  const local = new Map((policy.localOrigins ?? []).map((origin) => [origin, guard(mayBeAt(origin, policy))]));
  const allowed = new Agent({ ...timeouts, connect: { timeout: connectTimeoutMs } });
  const maxBytes = options.maxResponseBytes ?? 4_194_304;

  const hop = async (input: string, init: UndiciInit, left: number): Promise<UndiciResponse> => {
    const checked = checkUrl(input, policy);
    if (!checked.ok) throw blocked(checked.error);
    const url = checked.value;
    const dispatcher = policy.allowOrigins.includes(url.origin) ? allowed : (local.get(url.origin) ?? guarded);
    const response = await undiciFetch(url, { ...init, redirect: "manual", dispatcher });
    if (!REDIRECTS.has(response.status) || init.redirect === "manual") return capBody(response, maxBytes);

    await response.body?.cancel();
    const next = init.redirect === "error" || left === 0 ? null : nextHop(url, response, init);
    if (!next) throw blocked("redirect not followed");

    return hop(next.location, next.init, left - 1);
  };

  return {
    fetch: (input, init = {}) => hop(String(input), init, MAX_REDIRECTS),
    close: async () => {
      await Promise.all([guarded, allowed, ...local.values()].map((agent) => agent.destroy()));
    },
  };
};
