/** `Host` headers of this machine, which other origins cannot forge. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

export const isLoopbackHost = (host: string | null | undefined): boolean => typeof host === "string" && LOOPBACK.test(host);
