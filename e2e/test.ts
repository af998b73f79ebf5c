/** A `test` with an installation per group of specs (playwright.config.ts) and per retry. */
import { setPlace } from "./home.ts";
import { startInstallation, type Beginning, type Installation } from "./installation.ts";
import { test as listening } from "./listening.ts";

/** A busy machine takes long to start three processes; that must not count as test time. */
const START_MS = 120_000;

type OfWorker = { readonly beginning: Beginning; readonly installation: Installation };

export const test = listening.extend<object, OfWorker>({
  beginning: ["demo", { scope: "worker", option: true }],
  // A worker serves one project and ends with the first failure; a retry gets a new one.
  installation: [
    async ({ beginning }, use, { workerIndex, parallelIndex }) => {
      const installation = await startInstallation(beginning, `worker-${workerIndex}`, parallelIndex);
      setPlace(installation);
      await use(installation);
      setPlace(null);
      await installation.stop();
    },
    { scope: "worker", auto: true, timeout: START_MS },
  ],
  baseURL: async ({ installation }, use) => use(installation.origin),
});
