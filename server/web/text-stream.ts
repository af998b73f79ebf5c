import { AppError } from "@/lib/errors";
import { log } from "@/server/log";

export type Pieces = Iterator<string> | AsyncIterator<string>;

/** Logs faults, and describes none. */
export const streamText = (pieces: Pieces, requestId: string): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();

  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        // A missing last line reveals truncation.
        log()[error instanceof AppError ? "info" : "error"]({ requestId, err: error }, "an answer was not read to its end");
        controller.error(new Error("cut off"));
      }
    },
    cancel: async () => {
      await pieces.return?.(undefined);
    },
  });
};
