/** Prepares a fleet as administrator. Repeatable. */
import path from "node:path";
import { parseArgs } from "node:util";
import { prepareDatabase } from "../start/database.ts";
import { StartFailure, wordsOf } from "../start/failure.ts";
import { handOut, type Part } from "../start/hand-out.ts";
import { ensureHome } from "../start/home.ts";
import { takeLock } from "../start/lock.ts";
import { say } from "../start/progress.ts";
import { holdAfterRestore } from "../start/restored.ts";
import { readSettings } from "../start/settings.ts";
import { makeSetupLink } from "../start/setup-link.ts";
import { writeErr } from "../terminal.mjs";

type Asked = { readonly folders: ReadonlyMap<Part, string>; readonly restored: boolean };

const readArguments = (): Asked => {
  try {
    const { values } = parseArgs({ options: { web: { type: "string" }, runner: { type: "string" }, restored: { type: "boolean" } } });
    const folders = (["web", "runner"] as const).flatMap((part) => (values[part] ? [[part, path.resolve(values[part])] as const] : []));

    return { folders: new Map(folders), restored: values.restored === true };
  } catch (error) {
    throw new StartFailure(`${wordsOf(error)}. The options are --web FOLDER, --runner FOLDER and --restored.`, error);
  }
};

const setUp = async (): Promise<void> => {
  const { folders, restored } = readArguments();
  const { home, url, databaseUrl } = readSettings();

  if (databaseUrl === null)
    throw new StartFailure("DATABASE_URL is not set. Set it to the connection string of the database administrator.");
  const made = ensureHome(home);
  const giveBack = takeLock(home, url);

  try {
    if (made.length > 0) say(`  ✓ Keys created: ${made.join(", ")}`);
    const { urls, applied } = await prepareDatabase(home, databaseUrl);

    say(applied.length === 0 ? "  ✓ The database is up to date" : `  ✓ Database migrated: ${applied.join(", ")}`);
    for (const [part, folder] of folders) {
      handOut(home, urls, part, folder);
      say(`  ✓ State folder of a ${part} process: ${folder}`);
    }
    const runner = folders.get("runner");
    if (restored) await holdAfterRestore(databaseUrl, [home, ...(runner === undefined ? [] : [runner])]);
    const link = await makeSetupLink(home, databaseUrl, url);

    if (link !== null)
      say(
        `  To create the first admin, open ${link}\n  once the web process is running. The link works once and expires after 30 minutes.`,
      );
  } finally {
    giveBack();
  }
};

try {
  await setUp();
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  writeErr(`Set-up failed: ${error.message}\n`);
  process.exit(1);
}
