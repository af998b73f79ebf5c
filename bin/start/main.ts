/** Steps of the start, stopped in reverse. */
import path from "node:path";
import { buildWeb, bundleServers } from "./build.ts";
import { StartFailure } from "./failure.ts";
import { beginLifecycle } from "./lifecycle.ts";
import { prepareInstallation } from "./prepare.ts";
import { isHealthy, startProcesses } from "./processes.ts";
import { say, step } from "./progress.ts";
import { holdAfterRestore } from "./restored.ts";
import { makeSetupLink, describeSetupLink } from "./setup-link.ts";
import { readSettings, ROOT } from "./settings.ts";
import { isTerminal } from "../terminal.mjs";

const healthTimeoutMs = 90_000;

/** @throws StartFailure for an unknown argument */
const wasRestored = (): boolean => {
  const given = process.argv.slice(2);
  const unknown = given.find((argument) => argument !== "--restored");

  if (unknown !== undefined) throw new StartFailure(`Unknown option "${unknown}". The only option is --restored.`);

  return given.length > 0;
};

const lifecycle = beginLifecycle("start");

const start = async (): Promise<void> => {
  const restored = wasRestored();
  const settings = readSettings();
  const { home, url } = settings;
  const startedMs = Date.now();
  const { adminUrl, urls } = await prepareInstallation(settings, lifecycle);

  if (restored) await holdAfterRestore(adminUrl, [home]);
  await step("Building the runner", async () => ({ said: (await bundleServers(ROOT, home)) ? "Runner built" : null, value: undefined }));
  if (!isTerminal()) say("  Building the web application if it is out of date …");
  await step("Building the web application (about a minute)", async () => ({
    said: (await buildWeb(ROOT, home, lifecycle.signal)) ? "Web application built" : null,
    value: undefined,
  }));
  // First, so that a healthy product implies a link.
  const link = await makeSetupLink(home, adminUrl, url);
  const children = await startProcesses(settings, urls, (sentence) => lifecycle.fail(new StartFailure(sentence)));

  lifecycle.onStop(async () => {
    await Promise.all(children.map((child) => child.stop()));
  });
  await step("Starting web and runner", async () => {
    if (!(await isHealthy(settings, healthTimeoutMs, lifecycle.signal))) {
      throw new StartFailure(
        `Web and runner did not become healthy within ${healthTimeoutMs / 1000} s. Their logs are in ${path.join(home, "log")}.`,
      );
    }

    return { said: "Web and runner started", value: undefined };
  });
  say(`\n  Countersign runs at ${url} (ready after ${((Date.now() - startedMs) / 1000).toFixed(1)} s; press Ctrl-C to stop)`);
  if (link !== null) say(describeSetupLink(link));
};

await start().catch(lifecycle.fail);
