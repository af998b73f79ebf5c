import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "cwt_";

/** Derives the token from an account's key, so that a repeated request gets the same one. @param key base64url */
export const deriveWaitToken = (key: string, command: string): string =>
  `${PREFIX}${createHmac("sha256", Buffer.from(key, "base64url")).update(`countersign wait token v1 ${command}`).digest("base64url")}`;

export const generateWaitToken = (): string => `${PREFIX}${randomBytes(32).toString("base64url")}`;
