/**
 * Where a request comes from, for rate limits. Next puts the peer of the connection into `x-forwarded-for` when the
 * header is missing; a proxy in front appends the peer it saw. The last entry is therefore the one that nobody before
 * our own front could choose; where no proxy stands in front a client can invent it, and the limit per account holds.
 */
export const clientAddress = (forwardedFor: string | null | undefined): string =>
  forwardedFor?.split(",").at(-1)?.trim().slice(0, 64) || "unknown";
