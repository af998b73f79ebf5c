/** Procedures called as the browser calls them, for what a test needs and does not look at. */
import { expect, type Page } from "@playwright/test";

/** Calls a mutation with the page's own session. @returns its answer */
export const mutate = async <Answer>(page: Page, procedure: string, input: unknown): Promise<Answer> => {
  const { origin } = new URL(page.url());
  const response = await page.request.post(`/api/trpc/${procedure}`, {
    headers: { "content-type": "application/json", origin },
    data: input,
  });
  expect(response.ok(), `${procedure}: ${await response.text()}`).toBe(true);
  const { result } = (await response.json()) as { result: { data: Answer } };

  return result.data;
};

/** Asks a query with the page's own session. @returns its answer */
export const query = async <Answer>(page: Page, procedure: string, input: unknown): Promise<Answer> => {
  const asked = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await page.request.get(`/api/trpc/${procedure}${asked}`);
  expect(response.ok(), `${procedure}: ${await response.text()}`).toBe(true);
  const { result } = (await response.json()) as { result: { data: Answer } };

  return result.data;
};
