/** A single request costs as much as a thousand. */
import { randomBytes } from "node:crypto";

const FILLED_BYTES = 8_192;
const MOST_BYTES = 1_024;
let filled = Buffer.alloc(0);
let used = 0;

/** @param count bytes @throws RangeError above 1,024 */
export const generateBytes = (count: number): Buffer => {
  if (count > MOST_BYTES) throw new RangeError("freshBytes: too many at once");
  if (used + count > filled.length) {
    filled = randomBytes(FILLED_BYTES);
    used = 0;
  }
  const bytes = Buffer.from(filled.subarray(used, used + count));
  filled.fill(0, used, used + count);
  used += count;

  return bytes;
};
