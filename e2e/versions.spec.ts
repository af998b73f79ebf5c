import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { node, openPanel } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { describeGraph, importHere, importNew } from "./transfer.ts";

const openPublish = async (page: Page): Promise<Locator> => {
  await page.getByRole("button", { name: "Publish", exact: true }).click();

  return page.getByRole("dialog", { name: "Publish a version" });
};

const publishFrom = async (page: Page, dialog: Locator, number: number): Promise<void> => {
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByText(`Published as version ${number}`)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
};

test("a wider grant needs a second person, a narrower one does not; both show on the canvas", async ({ page }) => {
  test.setTimeout(240_000);
  const name = `Versions ${Date.now()}`;
  await signInAs(page, "builder");
  const place = await importNew(page, { name, reads: ["request"] });
  await publishFrom(page, await openPublish(page), 1);

  await test.step("an unchanged draft has nothing to publish", async () => {
    const dialog = await openPublish(page);
    await expect(dialog.getByText("No changes since version 1", { exact: true })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Publish", exact: true })).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await test.step("the author can't publish a wider grant alone, and sees why", async () => {
    await importHere(page, describeGraph({ name, reads: ["request", "write_result"] }));
    const dialog = await openPublish(page);
    await expect(dialog.getByText("Authority increases: needs a second person with graph.publish")).toBeVisible();
    await expect(dialog.getByText("Changes to the graph: 1 changed")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Publish", exact: true })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Ask a second person" }).click();
    await expect(dialog.getByRole("button", { name: "Approve and publish" })).toHaveAttribute("aria-disabled", "true");
  });

  await test.step("differences are marked on the canvas, listed with both values, and linkable", async () => {
    await page.getByRole("button", { name: "Show on canvas" }).click();
    await expect(page).toHaveURL(/diff=[0-9a-f]{64}\.\.draft/);
    await expect(node(page, /^Agent Think.*changed/)).toBeVisible();
    await page.getByRole("region", { name: "Nodes", exact: true }).getByText("What changed").click();
    await expect(page.getByRole("region", { name: "Nodes", exact: true }).getByText("read_keys", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(node(page, /^Agent Think.*changed/)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog", { name: "Publish a version" })).toBeVisible();
  });

  await test.step("a second person agrees", async () => {
    await signInAs(page, "second builder");
    await page.goto(`${place}?dialog=publish`);
    await page.getByRole("button", { name: "Approve and publish" }).click();
    await expect(page.getByText("Published as version 2")).toBeVisible();
  });

  await test.step("the author publishes a narrower grant alone", async () => {
    await page.goto(place);
    await importHere(page, describeGraph({ name, reads: ["request"], description: "Less again" }));
    const dialog = await openPublish(page);
    await expect(dialog.getByText("Authority decreases: you can publish it")).toBeVisible();
    await publishFrom(page, dialog, 3);
  });

  await test.step("the list shows authority changes and links to any two versions", async () => {
    await openPanel(page, "Versions");
    await expect(page.getByText("First version")).toBeVisible();
    await expect(page.getByText(/^More: /)).toBeVisible();
    await page.getByRole("button", { name: "Changes since version 1" }).click();
    await expect(page.getByRole("combobox", { name: "Compare" })).toContainText("Version 1");
    await expect(page.getByRole("combobox", { name: "With" })).toContainText("Version 2");
    await expect(page.getByText(/^May do more than version 1/)).toBeVisible();
    await page.goBack();
    await expect(page.getByText(/^Saved · revision/)).toBeVisible();
  });

  await test.step("a version is viewed, restored into the draft, and undone", async () => {
    await page.getByRole("button", { name: "View version 2" }).click();
    await expect(page.getByRole("heading", { level: 1, name: `${name}, version 2` })).toBeVisible();
    await expect(page.getByText("Read only", { exact: false }).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Restore to draft" }).click();
    await openPanel(page, "Graph");
    await expect(page.getByLabel("Description").first()).toHaveValue("");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByLabel("Description").first()).toHaveValue("Less again");
  });

  await test.step("an address of an unknown version says so", async () => {
    await page.goto(`${place}?version=${"0".repeat(64)}`);
    await expect(page.getByText("Version not found")).toBeVisible();
    await page.getByRole("button", { name: "Back to draft" }).click();
    await expect(node(page, /^Agent Think/)).toBeVisible();
  });
});
