/** What this browser can say of a value that it was shown on request: whether it is the one that was committed to. */
import { commitmentOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";

const SALT = /^[0-9a-f]{64}$/u;

/** Whether value and salt open the commitment, computed here. @param salt 32 bytes as hex */
export const opensCommitment = (opened: { readonly salt: string; readonly value: Json }, commitment: HexDigest): boolean =>
  SALT.test(opened.salt) && commitmentOf(opened.salt, opened.value) === commitment;
