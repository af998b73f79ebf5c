/** `countersign/client`: a function for each operation of the HTTP API. */
import type { z } from "zod";
import type { CONTRACT } from "@/lib/api/contract";
import type { Problem } from "@/lib/api/resources";
import { API_PATH, ROUTES, type Operation } from "@/lib/api/routes";
import { isSafeAddress } from "@/lib/api/safe-address";

type Contract = typeof CONTRACT;

type ParametersIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParametersIn<Rest>
  : unknown;
type QueryOf<O> = O extends { readonly query: infer Q extends z.ZodType } ? Partial<z.output<Q>> : unknown;
type BodyOf<O> = O extends { readonly body: infer B extends z.ZodType }
  ? z.input<B> extends Record<string, never>
    ? unknown
    : z.input<B>
  : unknown;

/** A stream is sent once. */
export type FileBody = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
type FileOf<O> = O extends { readonly takesFile: true } ? { readonly file: FileBody } : unknown;

export type Input<O extends Operation> = ParametersIn<(typeof ROUTES)[O]> &
  QueryOf<Contract[O]> &
  BodyOf<Contract[O]> &
  FileOf<Contract[O]>;

type Streamed = {
  readonly [O in Operation as Contract[O] extends { readonly type: string } ? O : never]: Contract[O]["type" & keyof Contract[O]];
};
type Item<O extends Operation> = z.output<Contract[O]["response"]>;
export type Output<O extends Operation> = O extends keyof Streamed
  ? Streamed[O] extends "events"
    ? AsyncGenerator<Item<O>, void, undefined>
    : Promise<string>
  : Promise<Item<O>>;

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Default: a new one for each call. */
  readonly idempotencyKey?: string;
  /** Answers `startRun` once the start is stored, before it is decided. */
  readonly respondAsync?: boolean;
};

export type Client = {
  readonly [O in Operation]: object extends Input<O>
    ? (input?: Input<O>, options?: CallOptions) => Output<O>
    : (input: Input<O>, options?: CallOptions) => Output<O>;
};

export type ClientOptions = {
  /** Such as `https://countersign.example.com`; http only on this machine. */
  readonly url: string;
  /** Of a service account, or a personal token. */
  readonly token: string;
  /** Of one call; 4 by default. */
  readonly attempts?: number;
  readonly fetch?: typeof globalThis.fetch;
};

export class CountersignError extends Error {
  override readonly name = "CountersignError";
  readonly status: number;
  /** Stable; `unexpected`: an answer of a proxy. */
  readonly code: string;
  /** Stable; docs/reference/refusals.md. */
  readonly refusal: string | null;
  readonly requestId: string | null;
  readonly issues: Problem["issues"];

  constructor(status: number, problem: Problem | null) {
    super(problem?.title ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = problem?.code ?? "unexpected";
    this.refusal = problem?.refusal ?? null;
    this.requestId = problem?.requestId ?? null;
    this.issues = problem?.issues ?? [];
  }
}

const STREAMED: Streamed = { followRun: "events", exportRun: "file" };
const kindOf = (operation: Operation): "json" | "events" | "file" =>
  operation in STREAMED ? STREAMED[operation as keyof Streamed] : "json";

type RunEvent = Item<"followRun">;
const ENDED: readonly RunEvent["status"][] = ["completed", "failed", "cancelled", "timeout", "budget_exceeded"];

const BASE_MS = 250;
const MAX_WAIT_MS = 60_000;
const UNAVAILABLE = [502, 503, 504];

/** @returns ms to wait; null: a repeat would not help */
const retryDelay = (response: Response | null, attempt: number): number | null => {
  const after = Number(response?.headers.get("retry-after") ?? Number.NaN) * 1_000;
  if (response && !UNAVAILABLE.includes(response.status) && !(response.status === 429 && after >= 0)) return null;

  return Math.min(after >= 0 ? after : BASE_MS * 2 ** attempt * (1 + Math.random()), MAX_WAIT_MS);
};

const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

const isProblem = (response: Response): boolean => response.headers.get("content-type")?.startsWith("application/problem+json") === true;

const toError = async (response: Response): Promise<CountersignError> =>
  new CountersignError(response.status, isProblem(response) ? ((await response.json()) as Problem) : (await response.body?.cancel(), null));

type Call = { readonly url: string; readonly init: RequestInit };

const buildCall = (base: string, token: string, operation: Operation, input: Record<string, unknown>, options: CallOptions): Call => {
  const [method = "", route = ""] = ROUTES[operation].split(" ");
  const rest = { ...input };
  const path = route.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];

    return encodeURIComponent(String(value));
  });
  const { file } = input as { readonly file?: FileBody };
  delete rest["file"];
  const isPost = method === "POST";
  const query = isPost && file === undefined ? [] : Object.entries(rest).filter(([, value]) => value !== undefined);
  const search = query.length === 0 ? "" : `?${new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString()}`;
  const posted =
    file === undefined
      ? { "Content-Type": "application/json", "Idempotency-Key": options.idempotencyKey ?? crypto.randomUUID() }
      : { "Content-Type": "application/octet-stream" };
  const preferred = options.respondAsync === true ? { Prefer: "respond-async" } : {};
  const body = file === undefined ? { body: JSON.stringify(rest) } : { body: file, duplex: "half" };

  return {
    url: `${base}${API_PATH}${path}${search}`,
    init: {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(isPost ? { ...posted, ...preferred } : {}) },
      // Another place must not see the token.
      redirect: "error",
      ...(isPost ? body : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    },
  };
};

const takeEvents = (text: string): { readonly events: readonly string[]; readonly rest: string } => {
  const parts = text.split("\n\n");

  return { events: parts.slice(0, -1).flatMap((part) => (part.startsWith("data: ") ? [part.slice(6)] : [])), rest: parts.at(-1) ?? "" };
};

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const { events, rest } = takeEvents(text + value);
      text = rest;
      for (const event of events) yield JSON.parse(event) as RunEvent;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Lists all items, page by page. @param page such as `(cursor) => client.listRuns({ cursor })` */
export async function* listAll<T>(
  page: (cursor: string | undefined) => Promise<{ readonly items: readonly T[]; readonly nextCursor: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page(cursor);
    yield* items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Retries lost connections, 429, 502, 503 and 504 with one Idempotency-Key. @throws TypeError for an address that would reveal the token */
export const createClient = ({ url, token, attempts = 4, fetch = globalThis.fetch }: ClientOptions): Client => {
  if (!isSafeAddress(new URL(url))) throw new TypeError("url must begin with https:// (http:// only on this machine)");
  const base = url.replace(/\/+$/u, "");

  const send = async ({ url: address, init }: Call): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const [response, fault] = await fetch(address, init).then(
        (answered) => [answered, null] as const,
        (error: unknown) => [null, error] as const,
      );
      if (response?.ok === true) return response;
      init.signal?.throwIfAborted();
      const isSpent = init.body instanceof ReadableStream;
      const delayMs = attempt + 1 < attempts && !isSpent ? retryDelay(response, attempt) : null;
      if (delayMs === null) throw response ? await toError(response) : fault;
      await response?.body?.cancel();
      await waitFor(delayMs, init.signal ?? undefined);
    }
  };

  /** Opens a stream that ends before its run again. */
  async function* follow(call: Call): AsyncGenerator {
    let seen = "";
    for (let lost = 0; ;) {
      let fault: unknown = new Error("The stream ended before the run.");
      const { body } = await send(call);
      try {
        for await (const event of body ? readEvents(body) : []) {
          lost = 0;
          if (JSON.stringify(event) === seen) continue;
          seen = JSON.stringify(event);
          yield event;
          if (event.frozen !== null || ENDED.includes(event.status)) return;
        }
      } catch (error) {
        fault = error;
      }
      call.init.signal?.throwIfAborted();
      lost += 1;
      if (lost >= attempts) throw fault;
      await waitFor(BASE_MS * 2 ** lost, call.init.signal ?? undefined);
    }
  }

  const invoke =
    (operation: Operation) =>
    (input: Record<string, unknown> = {}, options: CallOptions = {}) => {
      const call = buildCall(base, token, operation, input, options);
      if (kindOf(operation) === "events") return follow(call);

      return send(call).then((response): Promise<unknown> => (kindOf(operation) === "file" ? response.text() : response.json()));
    };

  return Object.fromEntries((Object.keys(ROUTES) as Operation[]).map((operation) => [operation, invoke(operation)])) as unknown as Client;
};
