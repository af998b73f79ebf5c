/** The `test` of specs that need the product: each spec, each repetition and each retry has an installation of its own. */
import { setPlace } from "./home.ts";
import { startInstallation, type Beginning, type Installation } from "./installation.ts";
import { test as listening } from "./listening.ts";

/** A busy machine takes its time to start three processes; it is not the time of a test. */
const START_MS = 120_000;

type OfWorker = { readonly beginning: Beginning; readonly installation: Installation };

export const test = listening.extend<object, OfWorker>({
  beginning: ["demo", { scope: "worker", option: true }],
  // A worker serves one spec (a project each, playwright.config.ts) and ends with the first failure: a retry gets another one.
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
