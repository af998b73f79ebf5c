/** Typed, bounded request channel; the first breach closes it. */
import type { Duplex } from "node:stream";
import { z } from "zod";
import { ChannelBreach, PeerLost, RemoteFailure, type PeerLostReason } from "./errors";
import { createFrameReader, encodeFrame } from "./frames";

export type Method = { readonly request: z.ZodType; readonly response: z.ZodType };
export type Protocol = Readonly<Record<string, Method>>;

type RequestOf<M extends Method> = z.infer<M["request"]>;
type ResponseOf<M extends Method> = z.infer<M["response"]>;

/** `signal` aborts when the caller gives up or the channel closes. */
export type Handlers<P extends Protocol> = {
  readonly [Name in keyof P]: (request: RequestOf<P[Name]>, signal: AbortSignal) => Promise<ResponseOf<P[Name]>>;
};

export type Peer<P extends Protocol> = {
  /** @throws PeerLost, RemoteFailure when the handler failed, or the signal's reason */
  call<Name extends keyof P & string>(name: Name, request: RequestOf<P[Name]>, signal?: AbortSignal): Promise<ResponseOf<P[Name]>>;
  ping(): Promise<void>;
  lost(): PeerLostReason | null;
  close(reason?: PeerLostReason): void;
};

export type PeerLimits = {
  readonly maxFrameBytes: number;
  readonly maxCalls: number;
  readonly maxBacklogBytes: number;
};

export const PEER_LIMITS: PeerLimits = { maxFrameBytes: 33_554_432, maxCalls: 512, maxBacklogBytes: 134_217_728 };

const FRAMES_PER_TURN = 16;
const TURN_MS = 20;
/** Large frames take at most a quarter of the process. */
const PAUSE_FACTOR = 3;
const MAX_MESSAGE_CHARS = 2_000;

const id = z.int().nonnegative();
const wireSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("call"), id, method: z.string(), body: z.unknown() }),
  z.strictObject({ type: z.literal("answer"), id, body: z.unknown() }),
  z.strictObject({
    type: z.literal("failure"),
    id,
    code: z.string().max(100),
    message: z.string().max(MAX_MESSAGE_CHARS),
    data: z.unknown(),
  }),
  z.strictObject({ type: z.literal("cancel"), id }),
  z.strictObject({ type: z.literal("ping"), id }),
  z.strictObject({ type: z.literal("pong"), id }),
]);
type Wire = z.infer<typeof wireSchema>;
type WireOf<T extends Wire["type"]> = Extract<Wire, { type: T }>;

/** Maps an error to its remote form; null hides its details. */
export type DescribeError = (error: unknown) => RemoteFailure | null;

const parse = (schema: z.ZodType, body: unknown): { readonly data: unknown } | null => {
  try {
    const parsed = schema.safeParse(body);

    return parsed.success ? { data: parsed.data } : null;
  } catch {
    // A recursive schema overflows the stack on `[[[[...`.
    return null;
  }
};

type Waiting = { readonly settle: (answer: unknown) => void; readonly fail: (error: Error) => void };

export type PeerOptions<Serves extends Protocol, Calls extends Protocol> = {
  readonly serves: Serves;
  readonly handlers: Handlers<Serves>;
  readonly calls: Calls;
  readonly describeError?: DescribeError;
  readonly limits?: PeerLimits;
  readonly onLost?: (reason: PeerLostReason) => void;
};

/** Speaks over `stream` until either side closes it. */
export const createPeer = <Serves extends Protocol, Calls extends Protocol>(
  stream: Duplex,
  options: PeerOptions<Serves, Calls>,
): Peer<Calls> => {
  const { serves, handlers, calls, describeError = () => null, limits = PEER_LIMITS } = options;
  const reader = createFrameReader(limits.maxFrameBytes);
  const waiting = new Map<number, Waiting>();
  const serving = new Map<number, AbortController>();
  let reason: PeerLostReason | null = null;
  let lastId = 0;
  let lastServed = 0;

  const close = (why: PeerLostReason = "closed"): void => {
    if (reason !== null) return;
    reason = why;
    const error = new PeerLost(why);
    for (const { fail } of waiting.values()) fail(error);
    for (const controller of serving.values()) controller.abort(error);
    waiting.clear();
    serving.clear();
    stream.destroy();
    options.onLost?.(why);
  };

  const send = (message: Wire): void => {
    if (reason !== null) return;
    stream.write(encodeFrame(message, limits.maxFrameBytes));
    if (stream.writableLength > limits.maxBacklogBytes) close("backlog_full");
  };

  const failureOf = (callId: number, error: unknown): WireOf<"failure"> => {
    const { code, message, data } = describeError(error) ?? new RemoteFailure("internal", "The call failed.");

    return { type: "failure", id: callId, code, message: message.slice(0, MAX_MESSAGE_CHARS), data };
  };

  const serve = async ({ id: callId, method, body }: WireOf<"call">): Promise<void> => {
    const served = Object.hasOwn(serves, method) ? serves[method] : undefined;
    const handler = handlers[method];
    // A lower id would let one call settle another.
    if (!served || !handler || callId <= lastServed) return close(served ? "message_malformed" : "method_unknown");
    lastServed = callId;
    if (serving.size >= limits.maxCalls) return close("too_many_calls");
    const request = parse(served.request, body);
    if (!request) return close("message_malformed");
    const controller = new AbortController();
    serving.set(callId, controller);
    const answer = await handler(request.data as never, controller.signal).then(
      (value): Wire => ({ type: "answer", id: callId, body: value }),
      (error: unknown) => (error instanceof ChannelBreach ? null : failureOf(callId, error)),
    );
    serving.delete(callId);
    if (answer === null) return close("breach");
    try {
      send(answer);
    } catch (error) {
      send(failureOf(callId, error));
    }
  };

  const settle = (callId: number, act: (waiter: Waiting) => void): void => {
    const waiter = waiting.get(callId);
    if (!waiter) return close("answer_unasked");
    waiting.delete(callId);
    act(waiter);
  };

  const handle = (message: Wire): void => {
    switch (message.type) {
      case "call":
        return void serve(message);
      case "answer":
        return settle(message.id, (waiter) => waiter.settle(message.body));
      case "failure":
        return settle(message.id, (waiter) => waiter.fail(new RemoteFailure(message.code, message.message, message.data)));
      case "cancel":
        return serving.get(message.id)?.abort(new DOMException("The caller gave up.", "AbortError"));
      case "ping":
        return send({ type: "pong", id: message.id });
      case "pong":
        return settle(message.id, (waiter) => waiter.settle(null));
      default:
        return message satisfies never;
    }
  };

  let isReading = false;
  const read = (): void => {
    isReading = false;
    const from = performance.now();
    for (let frames = 0; frames < FRAMES_PER_TURN && performance.now() - from < TURN_MS; frames += 1) {
      if (reason !== null) return;
      let value: unknown;
      try {
        value = reader.next();
      } catch (error) {
        return close(error instanceof PeerLost ? error.reason : "frame_malformed");
      }
      if (value === undefined) return void stream.resume();
      const message = wireSchema.safeParse(value);
      if (!message.success) return close("message_malformed");
      handle(message.data);
    }
    scheduleRead(performance.now() - from);
  };
  const scheduleRead = (spentMs: number): void => {
    if (isReading || reason !== null) return;
    isReading = true;
    // Pauses the stream, so that a flood waits in the sender.
    stream.pause();
    if (spentMs < TURN_MS) setImmediate(read);
    else setTimeout(read, spentMs * PAUSE_FACTOR);
  };

  stream.on("data", (chunk: Buffer) => {
    reader.push(chunk);
    if (!isReading) read();
  });
  for (const event of ["end", "close", "error"] as const) stream.on(event, () => close());

  const ask = (message: (callId: number) => Wire): { readonly callId: number; readonly answer: Promise<unknown> } => {
    if (reason !== null) throw new PeerLost(reason);
    lastId += 1;
    const callId = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const frame = message(callId);
    waiting.set(callId, { settle: resolve, fail: reject });
    try {
      send(frame);
    } catch (error) {
      waiting.delete(callId);
      throw error;
    }

    return { callId, answer: promise };
  };

  return {
    call: async (name, request, signal) => {
      signal?.throwIfAborted();
      const { callId, answer } = ask((callNumber) => ({ type: "call", id: callNumber, method: name, body: request }));
      const abort = (): void => {
        const waiter = waiting.get(callId);
        if (!waiter) return;
        // Its answer still comes and is ignored.
        waiting.set(callId, { settle: () => undefined, fail: () => undefined });
        send({ type: "cancel", id: callId });
        waiter.fail(signal?.reason instanceof Error ? signal.reason : new DOMException("The call was aborted.", "AbortError"));
      };
      signal?.addEventListener("abort", abort, { once: true });
      try {
        const body = await answer;
        const response = calls[name] && parse(calls[name].response, body);
        if (response) return response.data as never;
        close("message_malformed");
        throw new PeerLost("message_malformed");
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },
    ping: async () => {
      await ask((callId) => ({ type: "ping", id: callId })).answer;
    },
    lost: () => reason,
    close,
  };
};
