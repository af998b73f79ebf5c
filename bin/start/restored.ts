/** `--restored`: this is the first start after the database was restored to an older moment. */
import { refuse } from "../../lib/refusal.ts";
import { holdUnfinished } from "../../server/db/restored.ts";
import { leaveNotice } from "../../server/security/journal/notice.ts";
import { say } from "./progress.ts";

/**
 * Before any runner starts.
 * @param homes state folders whose runners are to forget how far runs were: the restored database is older on purpose
 */
export const holdAfterRestore = async (adminUrl: string, homes: readonly string[]): Promise<void> => {
  const { runs, requests } = await holdUnfinished(adminUrl, refuse("run_frozen"));
  // Not before what is unfinished is held: a start that was stopped in between is asked for again.
  leaveNotice(homes, "restored");

  say(`  ✓ Restored: ${runs} unfinished runs are held, ${requests} unanswered requests were refused`);
  if (runs > 0) say('    List them with "npx countersign restored"; "--release RUN" continues one.');
};
