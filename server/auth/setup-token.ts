import { createHash, randomBytes } from "node:crypto";

export const SETUP_TOKEN_LIFE_MS = 30 * 60_000;

export const generateSetupToken = (): string => randomBytes(32).toString("base64url");

/** Unsalted, because the token is random. */
export const hashSetupToken = (token: string): string => createHash("sha256").update(token).digest("hex");
