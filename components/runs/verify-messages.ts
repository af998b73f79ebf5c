import type { PublicKeys } from "@/lib/engine/signature";
import type { LedgerExport, Verification } from "@/lib/engine/verify";

/** What the page asks of the worker, and what the worker answers. */
export type VerifyRequest = { readonly ledger: LedgerExport; readonly keys: PublicKeys };
export type VerifyResponse =
  | { readonly type: "progress"; readonly checked: number }
  | { readonly type: "result"; readonly result: Verification }
  | { readonly type: "failed" };
