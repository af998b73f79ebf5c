import { expect, type Page } from "@playwright/test";
import { faultsOf, inspect } from "./axe.ts";
import { status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { foundOwnWorkspace, signInAsOwn } from "./own-workspace.ts";
import { addProgram, labelAsRead, MANY_TOOLS, offerProgram, RUG_PULL, runRugPull, startAdding } from "./registry.ts";
import { test } from "./test.ts";

/** Of the honest rug pull. */
const TOOLS = 5;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

// The first test creates their workspace.
test.describe.configure({ mode: "serial", timeout: 240_000 });

test("the demo's admin can add bundled servers and no address", async ({ page }) => {
  await signInAs(page, "admin");
  await startAdding(page, "outside", "Outside");
  await page.getByLabel("Address").fill("https://mcp.example.com/mcp");
  await page.getByRole("button", { name: "Add server", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("The demo can use the servers that come with Countersign, and no others.");
});

test("refuses a private address with a reason and keeps the typed values", async ({ page }) => {
  await foundOwnWorkspace(page);
  await startAdding(page, "inside", "Inside");
  for (const address of ["ftp://files.example", "http://127.0.0.1:5432/", "http://169.254.169.254/latest/meta-data", "http://[::1]/mcp"]) {
    await page.getByLabel("Address").fill(address);
    await page.getByRole("button", { name: "Add server", exact: true }).click();
    const reason = address.startsWith("ftp") ? "Enter an http or https address." : "The address is not public.";
    await expect(page.getByRole("dialog").getByText(reason), address).toBeVisible();
    await expect(page.getByLabel("Address")).toHaveValue(address);
    await expect(page.getByLabel("Id")).toHaveValue("inside");
    await expect(page.getByLabel("Name")).toHaveValue("Inside");
  }
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("No MCP servers yet")).toBeVisible();
});

test("a server is reviewed, used, suspended when its tools change, and revoked", async ({ page }) => {
  // Ids are never reused.
  const id = `rug_pull_${Date.now()}`;
  await signInAsOwn(page, "admin");
  await offerProgram(page, "rug", RUG_PULL, [
    "--choice",
    "mode=calm,loud",
    "--arg={mode}",
    "--text",
    "region=[a-z]{2}",
    "--env=REGION={region}",
  ]);

  await test.step("an operator's program is added without starting anything", async () => {
    await startAdding(page, id, "Rug pull");
    const dialog = page.getByRole("dialog");
    await page.getByLabel("Kind").click();
    await page.getByRole("option", { name: "Installed program" }).click();
    await expect(dialog).toContainText("npx countersign servers install NAME");
    await dialog.getByRole("combobox", { name: "Program" }).click();
    await page.getByRole("option", { name: "rug", exact: true }).click();
    await dialog.getByRole("combobox", { name: "mode" }).click();
    await page.getByRole("option", { name: "calm" }).click();
    await dialog.getByLabel("region").fill("EU");
    await page.getByRole("button", { name: "Add server", exact: true }).click();
    await expect(dialog).toContainText("region: Enter text that matches [a-z]{2}.");
    await dialog.getByLabel("region").fill("eu");
    expect(await faultsOf(page), "the program's form").toEqual([]);
    await page.getByRole("button", { name: "Add server", exact: true }).click();
    await page.waitForURL(`**/admin/mcp/${id}`);
    await expect(heading(page)).toContainText("Discovered");
    await expect(page.getByText("Nothing was started or contacted yet.", { exact: false })).toBeVisible();
  });

  await test.step("confirming its digest inspects it and quarantines it", async () => {
    await page.getByRole("button", { name: "Inspect…" }).click();
    const dialog = page.getByRole("dialog", { name: "Inspect Rug pull" });
    await expect(dialog).toContainText("mode = calm, region = eu");
    expect(await faultsOf(page), "the inspection").toEqual([]);
    await dialog.getByRole("button", { name: "Confirm digest and inspect" }).click();
    await expect(heading(page)).toContainText("Quarantined");
    await expect(page.getByRole("list", { name: "Tools" }).getByRole("button")).toHaveCount(TOOLS);
    await expect(page.getByText("Not reviewed", { exact: true })).toHaveCount(TOOLS);
    await expect(page.getByRole("button", { name: "Activate" })).toHaveCount(0);
    await page.getByRole("button", { name: "Inspect again" }).click();
    await expect(page.getByText("Tools listed.").first()).toBeVisible();
  });

  await test.step("its tools are read and pinned", async () => {
    await page.getByRole("list", { name: "Tools" }).getByRole("button", { name: "echo" }).click();
    await expect(page).toHaveURL(/tool=echo/);
    await expect(page.getByText("Repeats a text.", { exact: true })).toBeVisible();
    await expect(page.getByText("Not trusted: claims never lower our labels.")).toBeVisible();
    await expect(page.getByRole("region", { name: "Identity" })).toContainText("rug-pull 1.0.0");
    await page.getByRole("button", { name: "Review and pin…" }).click();
    const review = page.getByRole("dialog", { name: `Pin ${TOOLS} tools of Rug pull` });
    await expect(review).toContainText("Reports itself as rug-pull 1.0.0");
    await review.getByRole("button", { name: "Pin as shown" }).click();
    await expect(heading(page)).toContainText("Reviewed");
  });

  await test.step("label, allow callers and activate", async () => {
    await labelAsRead(page, "become");
    await labelAsRead(page, "echo");
    await expect(page.getByText("Nothing can call this server.")).toBeVisible();
    await page.getByRole("checkbox", { name: "Tool nodes in graphs node" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Allowed callers saved.").first()).toBeVisible();
    await page.getByRole("button", { name: "Activate" }).click();
    await expect(heading(page)).toContainText("Active");
    await expect(page.getByRole("region", { name: "Blast radius" })).toContainText("No published graph uses it");
  });

  await test.step("switch one tool off and on", async () => {
    const echo = page.getByRole("list", { name: "Tools" }).getByRole("button", { name: "echo" });
    await echo.click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(echo).toContainText("Off");
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(echo).not.toContainText("Off");
  });

  await test.step("a run makes it change its tools: the next call is refused, and the server is suspended", async () => {
    await signInAsOwn(page, "builder");
    await page.goto(await runRugPull(page, id));
    await expect(status(page)).toContainText("Failed");
  });

  await test.step("a builder sees the changes and can't act on them", async () => {
    await page.goto(`/admin/mcp/${id}`);
    await expect(heading(page)).toContainText("Drifted");
    await expect(page.getByText("1 tool changed since the review")).toBeVisible();
    await expect(page.getByRole("region", { name: "Dependents" }).getByRole("link", { name: "Rug pull" })).toBeVisible();
    await expect(page.getByLabel("Description, Reviewed")).toHaveText(/Repeats a text\.$/);
    await expect(page.getByLabel("Description, Current")).toContainText("U+200B");
    const reach = page.getByRole("region", { name: "Blast radius" });
    await expect(reach.getByRole("link", { name: "Rug pull" })).toBeVisible();
    await expect(reach).toContainText("change: a tool node. again: a tool node.");
    for (const name of ["Revoke…", "Inspect again", "Review and pin…", "Turn off", "Save labels", "Save", "Change program or values…"]) {
      const button = page.getByRole("button", { name, exact: true });
      await expect(button, name).toHaveAttribute("aria-disabled", "true");
      await expect(button, name).toHaveAccessibleDescription("Needs admin; you are builder");
    }
  });

  await test.step("an admin revokes it for good", async () => {
    await signInAsOwn(page, "admin");
    await page.goto(`/admin/mcp/${id}`);
    await page.getByRole("button", { name: "Revoke…" }).click();
    await page.getByRole("button", { name: "Revoke server" }).click();
    await expect(heading(page)).toContainText("Revoked");
    await expect(page.getByText("Revoked permanently.", { exact: false })).toBeVisible();
    for (const name of ["Activate", "Resume", "Review and pin…"]) await expect(page.getByRole("button", { name })).toHaveCount(0);
  });
});

test("a server with forty tools: the list scrolls, keeps the selection in view, and all are reviewed at once", async ({ page }) => {
  const id = `many_${Date.now()}`;
  const last = "update_subscriptions_of_former_employees_by_cost_centre";
  await signInAsOwn(page, "admin");
  await offerProgram(page, "back-office", MANY_TOOLS);
  await addProgram(page, { id, name: "Back office", program: "back-office" });
  await page.goto(`/admin/mcp/${id}?tool=${last}`);
  const tools = page.getByRole("list", { name: "Tools" });
  await expect(page.getByRole("region", { name: "Tools (40)" })).toBeVisible();
  await expect(tools.getByRole("button")).toHaveCount(40);
  await expect(tools.getByRole("button", { name: last })).toHaveAttribute("aria-current", "true");
  await expect(tools.getByRole("button", { name: last })).toBeInViewport();
  await expect(heading(page)).toBeInViewport();
  expect(await tools.evaluate((list) => list.scrollHeight > list.clientHeight), "the list scrolls").toBe(true);
  // Names that begin alike differ at their ends.
  const cut = await tools
    .locator("span")
    .evaluateAll((parts) =>
      parts.filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth).map((part) => part.textContent),
    );
  expect(cut).toEqual([]);
  await inspect(page, /MCP server · Countersign$/);

  await page.getByRole("button", { name: "Review and pin…" }).click();
  const review = page.getByRole("dialog", { name: "Pin 40 tools of Back office" });
  await expect(review.getByRole("listitem")).toHaveCount(40);
  await expect(review.getByRole("button", { name: "Pin as shown" })).toBeInViewport();
  expect(await faultsOf(page), "the review").toEqual([]);
  await review.getByRole("button", { name: "Pin as shown" }).click();
  await expect(heading(page)).toContainText("Reviewed");
  await expect(tools.getByText("Pinned", { exact: true })).toHaveCount(40);
});
