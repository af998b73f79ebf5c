import { TransformStream } from "node:stream/web";
import { Response as UndiciResponse } from "undici";
import { AppError } from "@/lib/errors";

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

const LF = 0x0a;
const CR = 0x0d;

/** Counts the bytes since the last blank line, which ends an event. CRLF, LF and CR end lines. */
const createEventCounter = () => {
  let bytes = 0;
  let isBlank = true;
  let wasCr = false;

  return (chunk: Uint8Array): number => {
    let most = 0;
    for (const byte of chunk) {
      bytes += 1;
      const isEnd = byte === CR || (byte === LF && !wasCr);
      if (isEnd && isBlank) bytes = 0;
      if (isEnd) isBlank = true;
      else if (byte !== LF) isBlank = false;
      wasCr = byte === CR;
      if (bytes > most) most = bytes;
    }

    return most;
  };
};

const isEventStream = ({ headers }: UndiciResponse): boolean => headers.get("content-type")?.startsWith("text/event-stream") === true;

/** Limits a decompressed body; of an event stream, each event and the whole. */
export const capBody = (response: UndiciResponse, maxBytes: number, maxStreamBytes: number): UndiciResponse => {
  if (!response.body || WITHOUT_BODY.has(response.status)) return response;
  const isStream = isEventStream(response);
  const countEvent = createEventCounter();
  let seen = 0;
  const cap = new TransformStream<Uint8Array | undefined, Uint8Array>({
    transform: (chunk, controller) => {
      if (!chunk) return;
      seen += chunk.byteLength;
      const isTooLarge = isStream ? seen > maxStreamBytes || countEvent(chunk) > maxBytes : seen > maxBytes;
      if (isTooLarge) controller.error(new AppError("server_unreachable", { message: "The answer is too large." }));
      else controller.enqueue(chunk);
    },
  });

  return new UndiciResponse(response.body.pipeThrough(cap), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};
