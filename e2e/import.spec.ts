/** Servers out of another client's file: each is looked at before anything is registered, and what may not run is not offered. */
import { expect } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

test("a file of another client is read here, what runs anything is refused in words, and a pinned package is registered in quarantine", async ({
  page,
}) => {
  const id = `files-${Date.now()}`;
  const file = {
    mcpServers: {
      shell: { command: "npx", args: ["-y", "anything"] },
      [id]: { command: "npx", args: ["@modelcontextprotocol/server-filesystem@2026.8.31", "{inbox}"] },
    },
  };
  await signInAs(page, "admin");
  await page.goto("/admin/mcp");
  await page.getByRole("button", { name: "Import…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import MCP servers" });
  await dialog.getByLabel("The file").fill("no file");
  await dialog.getByRole("button", { name: "Look at it" }).click();
  await expect(dialog.getByLabel("The file")).toHaveValue("no file");
  await expect(dialog.getByLabel("The file")).toHaveAttribute("aria-invalid", "true");

  await dialog.getByLabel("The file").fill(JSON.stringify(file));
  await dialog.getByRole("button", { name: "Look at it" }).click();
  const refused = dialog.getByRole("region", { name: "shell" });
  await expect(refused.getByText("Why it is not registered")).toBeVisible();
  await expect(refused.getByRole("button")).toHaveCount(0);
  expect(await faultsOf(page)).toEqual([]);

  await dialog
    .getByRole("region", { name: id })
    .getByRole("button", { name: /^Register / })
    .click();
  await expect(dialog.getByText("Registered, in quarantine.")).toBeVisible();
  await dialog.getByRole("link", { name: "Review its tools" }).click();
  await expect(page.getByText("Quarantined").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Tools" }).getByText("read_text_file")).toBeVisible();
});
