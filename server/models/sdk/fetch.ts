/** Bounds answers in size and silence, and forbids redirects, which would carry the key elsewhere. */
const MAX_ANSWER_BYTES = 16_777_216;
/** Between two chunks; a model may think as long as its call may take, but sends nothing before. */
export const IDLE_TIMEOUT_MS = 60_000;

/** The body stopped in the middle. */
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

/** Wraps a fetch. @param idleMs longest silence between two chunks */
export const boundFetch =
  (fetchAny: typeof fetch, idleMs = IDLE_TIMEOUT_MS): typeof fetch =>
  async (input, init) => {
    const response = await fetchAny(input, { ...init, redirect: "error" });
    if (!response.body) return response;

    return new Response(limited(response.body, idleMs), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
