import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { withClient } from "@/server/db/connect";
import { ensureRoles, urlOf } from "@/server/db/roles";
import { startEmbedded } from "./embedded.ts";
import { ensureHome } from "./home.ts";

test("an administrator without superuser rights creates the roles and changes their passwords", () =>
  inTemporaryFolder(async (home) => {
    ensureHome(home);
    const { adminUrl, cluster } = await startEmbedded(home, new AbortController().signal, () => undefined);
    try {
      await withClient(adminUrl, (client) => client.query("create role operator login createrole password 'first'"));
      const url = new URL(adminUrl);
      url.username = "operator";
      url.password = "first";
      const before = { web: "one", runner: "two", customers: "three" };
      const after = { ...before, runner: "four" };
      await ensureRoles(url.toString(), before);
      await ensureRoles(url.toString(), after);

      await expect(withClient(urlOf(adminUrl, "runner", before), async () => true)).rejects.toMatchObject({ code: "28P01" });
      for (const role of ["web", "runner", "customers"] as const) {
        expect(await withClient(urlOf(adminUrl, role, after), async () => true)).toBe(true);
      }
    } finally {
      await cluster.stop();
    }
  }));
