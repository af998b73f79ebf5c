/** Web process of a fleet. */
import path from "node:path";
import { buildWeb, bundleServers } from "../start/build.ts";
import { StartFailure } from "../start/failure.ts";
import { runInForeground } from "../start/foreground.ts";
import { heldBy } from "../start/hand-out.ts";
import { checkPort } from "../start/port.ts";
import { webEnv, webSandbox } from "../start/processes.ts";
import { readSettings, ROOT } from "../start/settings.ts";
import { writeErr } from "../terminal.mjs";

const next = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");

try {
  const settings = readSettings();
  const { home, host, port } = settings;
  const urls = heldBy(home, "web");

  await checkPort(host, port);
  // People download the offline verifier.
  await bundleServers(ROOT, home);
  await buildWeb(ROOT, home, new AbortController().signal);
  runInForeground([next, "start", "-p", String(port), "-H", host], webEnv(settings, urls), await webSandbox(settings, urls));
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  writeErr(`Countersign cannot start: ${error.message}\n`);
  process.exit(1);
}
