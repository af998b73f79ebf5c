/** `cs_` and 32 random bytes in base64url. */
export const TOKEN_PREFIX = "cs_";

const TOKEN = /^cs_[A-Za-z0-9_-]{43}$/;

export const isToken = (text: string): boolean => TOKEN.test(text);

const BEARER = /^bearer +(\S+)$/i;

/** Reads a header's bearer credential. */
export const readBearer = (authorization: string | null): string | null => BEARER.exec(authorization?.trim() ?? "")?.[1] ?? null;
