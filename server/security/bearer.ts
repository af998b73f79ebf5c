/** A shared token in an `Authorization` header. */
import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether the header shows this token. How long that takes says nothing about either: digests are compared, and whole. */
export const showsToken = (header: string | null | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`));
