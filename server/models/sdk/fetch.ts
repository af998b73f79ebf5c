/** Bounds answers, and forbids redirects, which would carry the key elsewhere. */
const MAX_ANSWER_BYTES = 16_777_216;

const limited = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  let bytes = 0;

  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) controller.error(new TypeError("the provider's answer is too large"));
        else controller.enqueue(chunk);
      },
    }),
  );
};

export const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (!response.body) return response;

  return new Response(limited(response.body), { status: response.status, statusText: response.statusText, headers: response.headers });
};
