/** Bounds answers in size and silence, and forbids redirects, which would carry the key elsewhere. */
import { AsyncLocalStorage } from "node:async_hooks";

const MAX_ANSWER_BYTES = 16_777_216;
/** Between two chunks; a model may think as long as its call may take, but sends nothing before. */
const IDLE_TIMEOUT_MS = 60_000;

export class IdleTimeout extends Error {
  constructor() {
    super("the provider stopped in the middle of its answer");
    this.name = "IdleTimeout";
  }
}

const limited = (body: ReadableStream<Uint8Array>, idleMs: number): ReadableStream<Uint8Array> => {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const watch = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    clearTimeout(timer);
    // A cancelled body clears no timer.
    timer = setTimeout(() => controller.error(new IdleTimeout()), idleMs).unref();
  };

  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: watch,
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        watch(controller);
        if (bytes > MAX_ANSWER_BYTES) controller.error(new TypeError("the provider's answer is too large"));
        else controller.enqueue(chunk);
      },
      flush: () => clearTimeout(timer),
    }),
  );
};

/** A server ignored `stream` and answered in one piece. */
class NotStreamed extends Error {
  readonly body: string;

  constructor(body: string) {
    super("the provider answered in one piece");
    this.name = "NotStreamed";
    this.body = body;
  }
}

const answers = new AsyncLocalStorage<string>();

export const findNotStreamed = (error: unknown): string | null => {
  if (error instanceof NotStreamed) return error.body;

  return error instanceof Error && error.cause !== undefined ? findNotStreamed(error.cause) : null;
};

/** Reads an arrived answer instead of asking again. */
export const replayAnswer = <T>(body: string, read: () => PromiseLike<T>): Promise<T> => answers.run(body, async () => read());

/** Quotes inside of JSON texts are escaped, so no prompt matches. */
const wantsStream = (init: RequestInit | undefined): boolean => typeof init?.body === "string" && init.body.includes('"stream":true');

/** @param idleMs longest silence between two chunks */
export const boundFetch =
  (fetchAny: typeof fetch, idleMs = IDLE_TIMEOUT_MS): typeof fetch =>
  async (input, init) => {
    const arrived = answers.getStore();
    if (arrived !== undefined) return new Response(arrived, { headers: { "content-type": "application/json" } });
    const response = await fetchAny(input, { ...init, redirect: "error" });
    if (!response.body) return response;

    const { status, statusText, headers, ok } = response;
    const bounded = new Response(limited(response.body, idleMs), { status, statusText, headers });
    if (ok && wantsStream(init) && headers.get("content-type")?.startsWith("text/event-stream") !== true)
      throw new NotStreamed(await bounded.text());

    return bounded;
  };
