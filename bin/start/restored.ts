/** `--restored`: first start after a restore. */
import { refuse } from "../../lib/refusal.ts";
import { holdUnfinished } from "../../server/db/restored.ts";
import { leaveNotice } from "../../server/security/journal/notice.ts";
import { say } from "./progress.ts";

/**
 * Precedes any runner.
 * @param homes their runners forget run progress: the database is older on purpose
 */
export const holdAfterRestore = async (adminUrl: string, homes: readonly string[]): Promise<void> => {
  const { runs, requests } = await holdUnfinished(adminUrl, refuse("run_frozen"));
  // Last, so that an interrupted start is repeated.
  leaveNotice(homes, "restored");

  say(`  ✓ Restored: ${runs} unfinished runs are held, ${requests} unanswered requests were refused`);
  if (runs > 0) say('    List them with "npx countersign restored"; "--release RUN" continues one.');
};
