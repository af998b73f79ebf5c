import fc from "fast-check";
import { expect, it } from "vitest";
import { createFrameReader, encodeFrame } from "./frames";

const MAX_BYTES = 10_000;

it("reads back any values, however the stream is split", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), fc.integer({ min: 1, max: 50 }), (values, size) => {
      const bytes = Buffer.concat(values.map((value) => encodeFrame(value, MAX_BYTES)));
      const reader = createFrameReader(MAX_BYTES);
      const read: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size));
        for (let value = reader.next(); value !== undefined; value = reader.next()) read.push(value);
      }
      expect(JSON.stringify(read)).toBe(JSON.stringify(values));
    }),
  );
});

it("rejects a length above the limit before the body arrives", () => {
  const reader = createFrameReader(MAX_BYTES);
  reader.push(Buffer.from([0, 0, 0x27, 0x11]));
  expect(() => reader.next()).toThrow("frame_too_large");
});

it("rejects invalid JSON", () => {
  const reader = createFrameReader(MAX_BYTES);
  reader.push(Buffer.from([0, 0, 0, 1, 0x7b]));
  expect(() => reader.next()).toThrow("frame_malformed");
});

it("refuses to encode a value above the limit", () => {
  expect(() => encodeFrame("x".repeat(MAX_BYTES), MAX_BYTES)).toThrow("frame_too_large");
});
