import { expect, type Page } from "@playwright/test";

export const choose = async (page: Page, label: string, option: string | RegExp): Promise<void> => {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
};

/** Adds an option to a list unless a new node has it already. */
export const include = async (page: Page, label: string, option: string): Promise<void> => {
  const listed = page.getByRole("list", { name: label, exact: true });
  await listed.waitFor();
  if ((await listed.getByText(option, { exact: true }).count()) === 0) await choose(page, label, option);
};

export const chosen = (page: Page, label: string, option: string | RegExp) =>
  expect(page.getByRole("combobox", { name: label, exact: true })).toContainText(option);

export const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

export const holds = (page: Page, label: string, text: string) => expect(page.getByLabel(label, { exact: true })).toHaveValue(text);

export const add = async (page: Page, label: string, text: string): Promise<void> => {
  // Its list has the same name.
  const field = page.getByRole("combobox", { name: label, exact: true });
  await field.fill(text);
  await field.press("Enter");
};

export const lists = (page: Page, label: string, text: string) =>
  expect(page.getByRole("list", { name: label, exact: true })).toContainText(text);

export const turnOn = (page: Page, section: string) => page.getByRole("checkbox", { name: section }).click();

export const open = (page: Page, section: RegExp) => page.locator("summary").filter({ hasText: section }).click();
