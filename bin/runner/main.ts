/**
 * One more runner of an installation: beside a running `npm start` with the same state folder, or on another machine with a
 * state folder that the set-up wrote. It changes neither schema nor keys, and refuses when something does not fit.
 */
import path from "node:path";
import { StartFailure } from "../start/failure.ts";
import { runInForeground } from "../start/foreground.ts";
import { RUNNER_ARGS } from "../start/node-args.ts";
import { runnerEnv, runnerSandbox } from "../start/processes.ts";
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
  runInForeground(
    [...RUNNER_ARGS, path.join(home, "build", "runner.mjs")],
    {
      ...runnerEnv(settings, urls),
      // It says so when it is ready, and first looks whether its keys are the ones of this database.
      COUNTERSIGN_JOIN: "1",
    },
    await runnerSandbox(settings),
  );
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  writeErr(`The runner cannot start: ${error.message}\n`);
  process.exit(1);
}
