/** Development server; its runner restarts at changes. */
import path from "node:path";
import { watchPrograms } from "../bundle.ts";
import { bundleServers, PROGRAMS } from "../start/build.ts";
import { superviseChild, type Child } from "../start/child.ts";
import { StartFailure } from "../start/failure.ts";
import { beginLifecycle } from "../start/lifecycle.ts";
import { RUNNER_ARGS } from "../start/node-args.ts";
import { prepareInstallation } from "../start/prepare.ts";
import { isHealthy, runnerEnv, webEnv } from "../start/processes.ts";
import { say, step } from "../start/progress.ts";
import { makeSetupLink, describeSetupLink } from "../start/setup-link.ts";
import { readSettings, ROOT, type Settings } from "../start/settings.ts";
import type { DatabaseUrls } from "../start/database-file.ts";
import { streamTo, writeErr, writeOut } from "../terminal.mjs";

const healthTimeoutMs = 120_000;

const lifecycle = beginLifecycle("dev");
const giveUp = (name: string) => (words: string) =>
  lifecycle.fail(new StartFailure(`The ${name} process keeps crashing. Last output:\n${words}`));

const startWeb = (settings: Settings, urls: DatabaseUrls): Child => {
  const { home, host, port } = settings;
  const terminal = streamTo(writeOut);

  return superviseChild({
    name: "web",
    args: [path.join(ROOT, "node_modules", "next", "dist", "bin", "next"), "dev", "-p", String(port), "-H", host],
    cwd: ROOT,
    env: { ...webEnv(settings, urls), NODE_ENV: "development" },
    logFile: path.join(home, "log", "web.log"),
    sandbox: null,
    onOutput: (chunk) => terminal.write(chunk),
    onGivenUp: giveUp("web"),
  });
};

const startRunner = (settings: Settings, urls: DatabaseUrls): Child =>
  superviseChild({
    name: "runner",
    args: [...RUNNER_ARGS, path.join(settings.home, "build", "runner.mjs")],
    cwd: ROOT,
    // The next runner continues the runs.
    env: { ...runnerEnv(settings, urls), COUNTERSIGN_DRAIN_MS: "1" },
    logFile: path.join(settings.home, "log", "runner.log"),
    sandbox: null,
    onGivenUp: giveUp("runner"),
  });

/** Builds meanwhile share the next restart. */
const keepRunner = (settings: Settings, urls: DatabaseUrls) => {
  let runner: Child | null = null;
  let work: Promise<void> = Promise.resolve();
  let isQueued = false;

  const restart = async (): Promise<void> => {
    isQueued = false;
    const startedMs = Date.now();
    const isFirst = runner === null;
    await runner?.stop();
    if (lifecycle.signal.aborted) return;
    runner = startRunner(settings, urls);
    if (!isFirst) say(`  ✓ Runner restarted (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  };

  return {
    restart: (): void => {
      if (isQueued) return;
      isQueued = true;
      work = work.then(restart);
    },
    stop: async (): Promise<void> => {
      await work;
      await runner?.stop();
    },
  };
};

const start = async (): Promise<void> => {
  const settings = readSettings();
  const { home, url } = settings;
  const startedMs = Date.now();
  const { adminUrl, urls } = await prepareInstallation(settings, lifecycle);

  await step("Building the runner", async () => ({ said: (await bundleServers(ROOT, home)) ? "Runner built" : null, value: undefined }));
  const link = await makeSetupLink(home, adminUrl, url);
  const runner = keepRunner(settings, urls);
  lifecycle.onStop(runner.stop);
  lifecycle.onStop(
    await watchPrograms({ root: ROOT, outdir: path.join(home, "build"), entries: PROGRAMS }, (errors) => {
      for (const error of errors) writeErr(error);
      if (errors.length === 0) runner.restart();
    }),
  );
  const web = startWeb(settings, urls);
  lifecycle.onStop(() => web.stop());
  await step("Starting web and runner", async () => {
    if (!(await isHealthy(settings, healthTimeoutMs, lifecycle.signal)))
      throw new StartFailure(`Web and runner did not become healthy within ${healthTimeoutMs / 1000} s.`);

    return { said: "Web and runner started", value: undefined };
  });
  say(
    `\n  Countersign runs at ${url} (ready after ${((Date.now() - startedMs) / 1000).toFixed(1)} s) and reloads on changes; press Ctrl-C to stop`,
  );
  if (link !== null) say(describeSetupLink(link));
};

await start().catch(lifecycle.fail);
