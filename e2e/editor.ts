import { expect, type Locator, type Page } from "@playwright/test";
import { mutate } from "./wire.ts";

/** For specs that test neither the list of graphs nor its dialog. */
export const createEmptyGraph = async (page: Page, name: string): Promise<void> => {
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name });
  await page.goto(`/graphs/${id}`);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
};

/** From the list of graphs. */
export const createInDialog = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "New graph" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
};

/** By kind and title. */
export const node = (page: Page, name: RegExp): Locator => page.getByRole("group", { name });

/** A level line counts as hidden, so assert presence. */
export const edge = (page: Page, from: string, to: string): Locator =>
  page.getByRole("group", { name: new RegExp(`^Edge from ${from} to ${to}`) });

/** Waits for its form. */
export const selectNode = async (page: Page, drawn: RegExp, id: string): Promise<void> => {
  await node(page, drawn).click();
  await expect(page.getByLabel("Id", { exact: true })).toHaveValue(id);
};

const rename = async (page: Page, id: string): Promise<void> => {
  const field = page.getByLabel("Id", { exact: true });
  await field.fill(id);
  await field.press("Enter");
  await expect(node(page, new RegExp(`^\\w+ ${id}`))).toBeVisible();
};

/** Connected after the selected node, if there is one. */
export const addNext = async (page: Page, kind: string, id: string): Promise<void> => {
  await page.getByRole("button", { name: `Add ${kind}` }).click();
  // The form follows the selection.
  await expect(page.getByLabel("Id", { exact: true })).toHaveValue(new RegExp(`^${kind.toLowerCase()}(?:_\\d+)?$`));
  await rename(page, id);
};

/** Not connected. */
export const addNode = async (page: Page, kind: string, id: string): Promise<void> => {
  await page.locator(".react-flow__pane").click({ position: { x: 4, y: 4 } });
  await addNext(page, kind, id);
};

export const fit = (page: Page): Promise<void> => page.getByRole("button", { name: "Fit View" }).click();

export const drawEdge = async (page: Page, from: Locator, to: Locator): Promise<void> => {
  await from.locator(".react-flow__handle.source").hover();
  await page.mouse.down();
  await to.locator(".react-flow__handle.target").hover();
  await page.mouse.up();
};

/** Connects by keyboard. */
export const typeEdge = async (page: Page, from: Locator, to: string): Promise<void> => {
  await from.focus();
  await page.keyboard.press("c");
  await expect(page.getByLabel("Find a node")).toBeFocused();
  await page.keyboard.type(to);
  await page.keyboard.press("Enter");
  await expect(page.locator(".react-flow__edge:focus")).toHaveCount(1);
};

export const openPanel = (page: Page, name: string | RegExp): Promise<void> => page.getByRole("tab", { name }).click();

export const declareKey = async (page: Page, name: string, schema: string): Promise<void> => {
  await openPanel(page, "Memory");
  await page.getByRole("button", { name: "Declare a key" }).click();
  const field = page.getByLabel("Name", { exact: true });
  await field.fill(name);
  await field.press("Enter");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await page.getByLabel("JSON Schema", { exact: true }).fill(schema);
  await page.getByRole("button", { name: new RegExp(`^${name} `) }).click();
};

/** @returns the server's revision */
export const save = async (page: Page): Promise<number> => {
  await page.keyboard.press("ControlOrMeta+s");

  return savedRevision(page);
};

/** Waits for the server. @returns its revision */
export const savedRevision = async (page: Page): Promise<number> => {
  const state = page.getByText(/^Saved · revision \d+$/);
  await expect(state).toBeVisible();

  return Number(/\d+/.exec(await state.innerText())?.[0]);
};
