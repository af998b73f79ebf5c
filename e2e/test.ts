/** A `test` with an installation and a browser context per group and per retry. */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { setPlace } from "./home.ts";
import { startInstallation, type Beginning, type Installation } from "./installation.ts";
import { test as listening } from "./listening.ts";

/** Starting three processes on a busy machine must not count as test time. */
const START_MS = 120_000;

/** The blank page spares every reset a renderer process. */
type Profile = { readonly context: BrowserContext; readonly blank: Page };
type Shared = { profile: Profile | null };
type OfWorker = { readonly beginning: Beginning; readonly installation: Installation; readonly shared: Shared };

const STORED = "local_storage,indexeddb,service_workers,cache_storage";

/** Keeps the HTTP cache only: refetching scripts took a fifth of the time. */
const reset = async ({ context, blank }: Profile, origins: readonly string[]): Promise<void> => {
  for (const page of context.pages()) if (page !== blank) await page.close();
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  const devtools = await context.newCDPSession(blank);
  for (const origin of origins) await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: STORED });
  await devtools.detach();
};

const openProfile = async (browser: Browser): Promise<Profile> => {
  const context = await browser.newContext();

  return { context, blank: await context.newPage() };
};

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
  shared: [async ({ installation: _installation }, use) => use({ profile: null }), { scope: "worker" }],
  baseURL: async ({ installation }, use) => use(installation.origin),
  context: async ({ browser, shared, installation, isMobile }, use) => {
    if (isMobile) {
      const own = await browser.newContext();
      await use(own);
      await own.close();

      return;
    }
    shared.profile ??= await openProfile(browser);
    await use(shared.profile.context);
    await reset(shared.profile, [installation.origin, installation.origin.replace("localhost", "127.0.0.1")]);
  },
});
