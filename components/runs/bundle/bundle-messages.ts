import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { BundleProgress, BundleResult } from "./read-bundle";

export type BundleRequest = { readonly file: Blob; readonly keys: PublicKeys | null };
export type BundleResponse =
  | { readonly type: "progress"; readonly progress: BundleProgress }
  | { readonly type: "result"; readonly result: BundleResult }
  | { readonly type: "failed" };
