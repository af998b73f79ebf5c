/** The one-time link of the first start. Only the hash of its token is stored. */
import { createHash, randomBytes } from "node:crypto";

export const SETUP_TOKEN_LIFE_MS = 30 * 60_000;

/** 32 random bytes, as they stand in the link. */
export const newSetupToken = (): string => randomBytes(32).toString("base64url");

/** A plain hash is enough: the token is random and long, so there is nothing to guess. */
export const hashSetupToken = (token: string): string => createHash("sha256").update(token).digest("hex");
