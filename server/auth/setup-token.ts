/** One-time link of the first start. */
import { createHash, randomBytes } from "node:crypto";

export const SETUP_TOKEN_LIFE_MS = 30 * 60_000;

/** Returns 32 random bytes, encoded for the link. */
export const generateSetupToken = (): string => randomBytes(32).toString("base64url");

/** Unsalted, because the token is random and long. */
export const hashSetupToken = (token: string): string => createHash("sha256").update(token).digest("hex");
