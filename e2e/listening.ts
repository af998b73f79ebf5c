/** A `test` in which whatever is done on a page of ours waits until that page listens. */
import { test as base, type APIRequestContext, type Page } from "@playwright/test";

/** Stands on the root element of a page that listens. */
const LISTENS = "data-listens";

/**
 * Runs in each page before its own scripts. React tells developer tools when it has drawn and its effects have run; the first time
 * is the end of hydration. Before it a click, a key and the coming of the pointer are lost, without a trace.
 */
const sayWhenItListens = (listens: string): void => {
  const tools = {
    supportsFiber: true,
    inject: () => 1,
    onPostCommitFiberRoot: () => document.documentElement.setAttribute(listens, ""),
  };
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: tools });
};

/** As for a notice that covers the page: Playwright waits until it is gone, before each action and each expectation. */
const waitUntilItListens = (page: Page): Promise<void> =>
  page.addLocatorHandler(page.locator(`html:not([${LISTENS}]):has(script[src^="/_next/"])`), () => Promise.resolve());

/**
 * The web process closes a connection that was idle for five seconds, at times in the moment in which a test uses it again. Such a
 * request was not read, so it is sent again. Every method of a request context goes through its `fetch`.
 */
const retryResets = (request: APIRequestContext): void => {
  const fetch = request.fetch.bind(request);
  request.fetch = (url, options) => fetch(url, { maxRetries: 2, ...options });
};

/** The `test` of specs that start what they need themselves. */
export const test = base.extend<object, { readonly listening: void }>({
  // All pages of the browser, whoever opens them, and wherever a click leads them.
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
