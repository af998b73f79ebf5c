import { test as base, type APIRequestContext, type Page } from "@playwright/test";

const LISTENS = "data-listens";

/** React reports commits to developer tools; the first with effects ends hydration. Earlier input is lost. */
const sayWhenItListens = (listens: string): void => {
  const tools = {
    supportsFiber: true,
    inject: () => 1,
    onPostCommitFiberRoot: () => document.documentElement.setAttribute(listens, ""),
  };
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: tools });
};

/** Playwright waits for it before each action and expectation. */
const waitUntilItListens = (page: Page): Promise<void> =>
  page.addLocatorHandler(page.locator(`html:not([${LISTENS}]):has(script[src^="/_next/"])`), () => Promise.resolve());

/** Retries where an idle connection was closed just as it was used again. */
const retryResets = (request: APIRequestContext): void => {
  const fetch = request.fetch.bind(request);
  request.fetch = (url, options) => fetch(url, { maxRetries: 2, ...options });
};

/** A `test` that waits for hydration. */
export const test = base.extend<object, { readonly listening: void }>({
  // Covers popups.
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
