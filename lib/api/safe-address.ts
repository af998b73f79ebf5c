const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/u;

/** Returns whether only the recipient reads a token that is sent there. */
export const isSafeAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
