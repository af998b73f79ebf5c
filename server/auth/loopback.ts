/** Whether a `Host` header names this very machine. A page of another origin cannot make a browser send one that does. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

export const isLoopbackHost = (host: string | null | undefined): boolean => typeof host === "string" && LOOPBACK.test(host);
