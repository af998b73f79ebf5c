/** A shared token in an `Authorization` header. */
import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Verifies a bearer header against the token in constant time, by comparing digests. */
export const showsToken = (header: string | null | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`));
