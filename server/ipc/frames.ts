/** Length-prefixed JSON frames: four big-endian bytes, then UTF-8 JSON. */
import { PeerLost } from "./errors";

const HEADER_BYTES = 4;

/** Encodes one value. @throws PeerLost above `maxBytes` */
export const encodeFrame = (value: unknown, maxBytes: number): Buffer => {
  const body = Buffer.from(JSON.stringify(value), "utf8");
  if (body.length > maxBytes) throw new PeerLost("frame_too_large");
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  frame.writeUInt32BE(body.length, 0);
  body.copy(frame, HEADER_BYTES);

  return frame;
};

export type FrameReader = {
  push(chunk: Buffer): void;
  /** Returns undefined while incomplete. @throws PeerLost */
  next(): unknown;
};

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new PeerLost("frame_malformed");
  }
};

/** Creates a reader that rejects lengths above `maxBytes` before buffering. */
export const createFrameReader = (maxBytes: number): FrameReader => {
  let chunks: Buffer[] = [];
  let held = 0;

  /** Joins once, so that small chunks are not copied repeatedly. */
  const take = (bytes: number): Buffer => {
    const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks = bytes === all.length ? [] : [all.subarray(bytes)];
    held = all.length - bytes;

    return all.subarray(0, bytes);
  };

  let expected: number | null = null;

  return {
    push: (chunk) => {
      chunks.push(chunk);
      held += chunk.length;
    },
    next: () => {
      if (expected === null) {
        if (held < HEADER_BYTES) return undefined;
        expected = take(HEADER_BYTES).readUInt32BE(0);
        if (expected > maxBytes) throw new PeerLost("frame_too_large");
      }
      if (held < expected) return undefined;
      const body = take(expected);
      expected = null;

      return parse(body);
    },
  };
};
