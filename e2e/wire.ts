/** Uses the page's session. */
import { expect, type Page } from "@playwright/test";

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

export const query = async <Answer>(page: Page, procedure: string, input: unknown): Promise<Answer> => {
  const asked = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await page.request.get(`/api/trpc/${procedure}${asked}`);
  expect(response.ok(), `${procedure}: ${await response.text()}`).toBe(true);
  const { result } = (await response.json()) as { result: { data: Answer } };

  return result.data;
};
