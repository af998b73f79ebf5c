/** `--restored`: this is the first start after the database was restored to an older moment. */
import { refuse } from "../../lib/refusal.ts";
import { holdUnfinished } from "../../server/db/restored.ts";
import { say } from "./progress.ts";

/** Before any runner starts. */
export const holdAfterRestore = async (adminUrl: string): Promise<void> => {
  const { runs, requests } = await holdUnfinished(adminUrl, refuse("run_frozen"));

  say(`  ✓ Restored: ${runs} unfinished runs are held, ${requests} unanswered requests were refused`);
  if (runs > 0) say("    npx countersign restored lists them, and --release lets one go on.");
};
