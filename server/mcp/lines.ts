const NEWLINE = 0x0a;
const FIRST_BYTES = 65_536;

/** Cuts a stream after its last newline, null without one. Linear in bytes, however small the chunks. @throws beyond `maxBytes` */
export const createLines = (maxBytes: number): ((chunk: Buffer) => Buffer | null) => {
  let held = Buffer.allocUnsafe(0);
  let used = 0;

  const hold = (chunk: Buffer): void => {
    const bytes = used + chunk.length;
    if (bytes > maxBytes) throw new Error("a line is too long");
    if (bytes > held.length) {
      const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, 2 * held.length, bytes));
      held.copy(larger, 0, 0, used);
      held = larger;
    }
    chunk.copy(held, used);
    used = bytes;
  };

  return (chunk) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      hold(chunk);

      return null;
    }
    const lines = Buffer.concat([held.subarray(0, used), chunk.subarray(0, end)]);
    [held, used] = [Buffer.allocUnsafe(0), 0];
    hold(chunk.subarray(end));

    return lines;
  };
};
