/** Builds for images, whose files cannot change later. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildWeb } from "../start/build.ts";
import { StartFailure } from "../start/failure.ts";
import { ensureFolders } from "../start/home.ts";
import { ROOT } from "../start/settings.ts";
import { writeErr } from "../terminal.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-build-"));

try {
  ensureFolders(folder);
  await buildWeb(ROOT, folder, new AbortController().signal);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  writeErr(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
