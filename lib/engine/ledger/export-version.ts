import type { PublishedGraph } from "@/lib/graph/document";
import { toPlainVersion } from "@/lib/graph/publish";
import type { Json } from "@/lib/json";
import { getPublished } from "@/lib/engine/forks/fork";
import { replay } from "@/lib/engine/ledger/replay";
import type { LedgerExport } from "@/lib/engine/verify/verify";

/** Builds the executed version of any ledger. */
export const buildExecutedVersion = (
  { published, document }: { readonly published: PublishedGraph; readonly document: Json },
  ledger: LedgerExport,
): Json => {
  try {
    const executed = getPublished(published, replay(ledger, "").state);

    return executed === published ? document : toPlainVersion(executed);
  } catch {
    return document;
  }
};
