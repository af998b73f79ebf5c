/** Adds a runner. Changes neither schema nor keys. */
import path from "node:path";
import { StartFailure } from "../start/failure.ts";
import { runInForeground } from "../start/foreground.ts";
import { RUNNER_ARGS } from "../start/node-args.ts";
import { runnerEnv, runnerSandbox, startContainerBroker } from "../start/processes.ts";
import { readSettings } from "../start/settings.ts";
import { buildAlone } from "./build.ts";
import { connectionsOf, refuseForeignDatabase, refuseOpenKeys } from "./fits.ts";
import { writeErr } from "../terminal.mjs";

try {
  const settings = readSettings();
  const { home } = settings;
  const urls = connectionsOf(settings);

  refuseOpenKeys(home);
  await refuseForeignDatabase(urls.runner);
  await buildAlone(home);
  startContainerBroker(settings);
  runInForeground(
    [...RUNNER_ARGS, path.join(home, "build", "runner.mjs")],
    {
      ...runnerEnv(settings, urls),
      // Checks that its keys are this database's.
      COUNTERSIGN_JOIN: "1",
    },
    await runnerSandbox(settings),
  );
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  writeErr(`The runner cannot start: ${error.message}\n`);
  process.exit(1);
}
