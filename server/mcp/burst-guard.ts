/** Limits per ten seconds. */
export type Burst = { readonly messages: number; readonly bytes: number };

const BURST_MS = 10_000;

/** Counts traffic. @returns whether the limit is exceeded */
export const createBurstGuard = ({ messages, bytes }: Burst): ((newMessages: number, newBytes: number) => boolean) => {
  let since = performance.now();
  let [seenMessages, seenBytes] = [0, 0];

  return (newMessages, newBytes) => {
    if (performance.now() - since > BURST_MS) [since, seenMessages, seenBytes] = [performance.now(), 0, 0];
    seenMessages += newMessages;
    seenBytes += newBytes;

    return seenMessages > messages || seenBytes > bytes;
  };
};
