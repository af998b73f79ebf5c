import { TransformStream } from "node:stream/web";
import { Response as UndiciResponse } from "undici";
import { AppError } from "@/lib/errors";

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** Limits a decompressed body. */
export const capBody = (response: UndiciResponse, maxBytes: number): UndiciResponse => {
  if (!response.body || WITHOUT_BODY.has(response.status)) return response;
  let seen = 0;
  const cap = new TransformStream<Uint8Array | undefined, Uint8Array>({
    transform: (chunk, controller) => {
      if (!chunk) return;
      seen += chunk.byteLength;
      if (seen > maxBytes) controller.error(new AppError("server_unreachable", { message: "The answer is too large." }));
      else controller.enqueue(chunk);
    },
  });

  return new UndiciResponse(response.body.pipeThrough(cap), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};
