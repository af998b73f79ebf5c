/** The version that a run executes, as an export carries it. */
import type { PublishedGraph } from "@/lib/graph/document";
import { plainVersion } from "@/lib/graph/publish";
import type { Json } from "@/lib/json";
import { publishedOf } from "@/lib/engine/forks/fork";
import { replay } from "@/lib/engine/ledger/replay";
import type { LedgerExport } from "@/lib/engine/verify/verify";

/**
 * The stored version, with what forks replaced in it as far as the ledger's opened cells say so. A ledger that cannot be
 * read is exported all the same, for the verifier to name.
 */
export const buildExecutedVersion = (
  { published, document }: { readonly published: PublishedGraph; readonly document: Json },
  ledger: LedgerExport,
): Json => {
  try {
    const executed = publishedOf(published, replay(ledger, "").state);

    return executed === published ? document : plainVersion(executed);
  } catch {
    return document;
  }
};
