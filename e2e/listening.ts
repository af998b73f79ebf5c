/** A `test` whose page actions wait for hydration. */
import { test as base, type APIRequestContext, type Page } from "@playwright/test";

/** Set on the root element of a hydrated page. */
const LISTENS = "data-listens";

/**
 * Runs in each page before its scripts. React reports commits to developer tools; the first with effects ends hydration. Before it, clicks,
 * keys and pointer entry are silently lost.
 */
const sayWhenItListens = (listens: string): void => {
  const tools = {
    supportsFiber: true,
    inject: () => 1,
    onPostCommitFiberRoot: () => document.documentElement.setAttribute(listens, ""),
  };
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: tools });
};

/** Registered as for a covering notice: Playwright waits for it before each action and expectation. */
const waitUntilItListens = (page: Page): Promise<void> =>
  page.addLocatorHandler(page.locator(`html:not([${LISTENS}]):has(script[src^="/_next/"])`), () => Promise.resolve());

/**
 * The web process closes connections idle for five seconds, sometimes just as a test reuses one. Such a request was not read, so it is
 * retried. Every method of a request context goes through `fetch`.
 */
const retryResets = (request: APIRequestContext): void => {
  const fetch = request.fetch.bind(request);
  request.fetch = (url, options) => fetch(url, { maxRetries: 2, ...options });
};

/** The `test` of specs that start what they need themselves. */
export const test = base.extend<object, { readonly listening: void }>({
  // Covers all pages of the browser, including popups.
  listening: [
    async ({ browser }, use) => {
      browser.on("context", (context) => {
        retryResets(context.request);
        void context.addInitScript(sayWhenItListens, LISTENS);
        context.on("page", (page) => void waitUntilItListens(page));
      });
      await use();
    },
    { scope: "worker", auto: true },
  ],
});
