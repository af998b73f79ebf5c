import { expect } from "@playwright/test";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { query } from "./wire.ts";

test("an installation has only the demo's runs, people, servers and graphs, none of another group", async ({ page }) => {
  await signInAs(page, "admin");
  const { runs } = await query<{ runs: unknown[] }>(page, "runs.list", {});
  expect(runs).toHaveLength(5);
  const { members, invites } = await query<{ members: unknown[]; invites: unknown[] }>(page, "people.list", undefined);
  expect([members.length, invites.length]).toEqual([7, 0]);
  const servers = await query<{ id: string }[]>(page, "mcp.list", undefined);
  expect(servers.map(({ id }) => id).toSorted()).toEqual(["customers", "filesystem", "library", "rug-pull", "shop"]);
  expect(await query(page, "graphs.list", undefined)).toHaveLength(8);
  expect(await query(page, "webhooks.list", undefined)).toEqual([]);
});
