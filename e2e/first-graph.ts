/** Steps to a first graph's approved write, counted. */
import { expect, type Page } from "@playwright/test";
import type { Actions } from "./actions.ts";
import { decideByKeys, status } from "./desk.ts";
import { signInAs } from "./people.ts";

export const createAgent = async (page: Page, act: Actions, instructions: string): Promise<void> => {
  await act.click(page.getByRole("button", { name: "New agent" }));
  const dialog = page.getByRole("dialog", { name: "New agent" });
  await act.click(dialog.getByRole("button", { name: "Save agent" }));
  await expect(dialog).toBeHidden();
  await act.fill(page.getByLabel("Instructions"), instructions);
};

/** @returns the run's page */
export const publishAndStart = async (page: Page, act: Actions, input: string, mail: string): Promise<string> => {
  await act.click(page.getByRole("button", { name: "Publish", exact: true }));
  const dialog = page.getByRole("dialog", { name: "Publish a version" });
  await act.click(dialog.getByRole("button", { name: "Publish", exact: true }));
  await expect(dialog.getByText("Published as version 1")).toBeVisible();
  await act.press("Escape");
  await expect(dialog).toBeHidden();
  await act.click(page.getByRole("button", { name: "Run", exact: true }));
  const launcher = page.getByRole("dialog", { name: "Start a run" });
  await expect(launcher.getByText(/it fills each declared schema with plausible values/)).toBeVisible();
  await act.fill(launcher.getByLabel(input), mail);
  await act.click(launcher.getByRole("button", { name: "Start the run" }));
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(status(page)).toContainText("Waiting");

  return new URL(page.url()).pathname;
};

export const approveWrite = async (page: Page, act: Actions, run: string): Promise<void> => {
  await signInAs(page, "reviewer");
  await page.goto(run);
  await act.click(page.getByRole("link", { name: /^Waiting for a/ }));
  await expect(page.getByText("cus_1001").first()).toBeVisible();
  // Tab shows that a person is there, then a, Enter, and Enter on "Send now".
  act.add(4);
  await decideByKeys(page, "approve");
  await page.goto(run);
  await expect(status(page)).toContainText("Completed");
};
