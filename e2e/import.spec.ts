import { expect } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { foundOwnWorkspace } from "./own-workspace.ts";
import { offerProgram, RUG_PULL } from "./registry.ts";
import { test } from "./test.ts";

test("reads another client's file, refuses arbitrary commands with a reason, and registers the operator's programs", async ({ page }) => {
  await foundOwnWorkspace(page);
  const program = await offerProgram(page, "rug", RUG_PULL, [
    "--choice",
    "mode=calm,loud",
    "--arg={mode}",
    "--text",
    "region=[a-z]{2}",
    "--env=REGION={region}",
  ]);
  const file = {
    mcpServers: {
      shell: { command: "npx", args: ["-y", "anything"] },
      files: {
        command: "npx",
        args: ["@modelcontextprotocol/server-filesystem@2026.8.31", "/srv/docs"],
        env: { API_TOKEN: "ghp_0123456789abcdef" },
      },
      rug: { command: "node", args: [program, "calm"], env: { REGION: "eu" } },
    },
  };
  await page.goto("/admin/mcp");
  await page.getByRole("button", { name: "Import…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import MCP servers" });
  await dialog.getByLabel("File contents").fill("no file");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.getByLabel("File contents")).toHaveValue("no file");
  await expect(dialog.getByLabel("File contents")).toHaveAttribute("aria-invalid", "true");

  await dialog.getByLabel("File contents").fill(JSON.stringify(file));
  await dialog.getByRole("button", { name: "Preview" }).click();
  const refused = dialog.getByRole("region", { name: "shell" });
  await expect(refused.getByText("Problems")).toBeVisible();
  await expect(refused.getByRole("button")).toHaveCount(0);
  expect(await faultsOf(page)).toEqual([]);

  const missing = dialog.getByRole("region", { name: "files" });
  await expect(missing).toContainText(
    "npx countersign servers install @modelcontextprotocol/server-filesystem@2026.8.31 --arg=/srv/docs --secret api_token '--env=API_TOKEN={api_token}'",
  );
  await expect(dialog).not.toContainText("ghp_");
  await dialog.getByRole("region", { name: "rug" }).getByRole("button", { name: "Add rug" }).click();
  await expect(dialog.getByText("Server added. Nothing was started.")).toBeVisible();
  await dialog.getByRole("link", { name: "Inspect server" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Discovered");
  await page.getByRole("button", { name: "Inspect…" }).click();
  await page.getByRole("button", { name: "Confirm digest and inspect" }).click();
  await expect(page.getByRole("list", { name: "Tools" }).getByText("echo")).toBeVisible();
});
