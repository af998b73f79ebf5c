/** As in docs/operating. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { inTemporaryFolder, readDrill } from "@/bin/testing";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { refuse } from "@/lib/refusal";
import { holdUnfinished } from "@/server/db/restored";
import { getAnchorFile } from "@/server/security/anchor-file";
import { leaveNotice } from "@/server/security/journal/notice";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { prepareDatabase } from "./database.ts";
import { startEmbedded } from "./embedded.ts";
import { ensureHome } from "./home.ts";
import { ROOT } from "./settings.ts";

const MAIL = "02-outage-credit.txt";
let desk: Desk | null = null;
afterAll(() => desk?.mcp.close());

/** Divided at steps by hand or by `npm start`. */
const stepsOf = (name: string): string[] =>
  readDrill(name)
    .split(/^(?:#|npm start).*$/mu)
    .map((step) => step.trim());

type Place = { readonly site: string; readonly backup: string };

/** Found beside the sources. */
const shell = ({ site, backup }: Place, lines: string): string =>
  execFileSync("bash", ["-euc", `npx() { shift; "$NODE" "$ROOT/bin/countersign.mjs" "$@"; }\n${lines}`], {
    cwd: site,
    env: {
      NODE_ENV: "test",
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE: process.execPath,
      ROOT,
      BACKUP: backup,
      COUNTERSIGN_HOME: path.join(site, ".countersign"),
    },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

const startDatabase = async ({ site }: Place) => {
  const home = path.join(site, ".countersign");
  ensureHome(home);
  const { adminUrl, cluster } = await startEmbedded(home, new AbortController().signal, () => undefined);
  const { urls } = await prepareDatabase(home, adminUrl);
  await useDatabase(urls.runner);

  return {
    urls,
    stop: async () => {
      await closeDatabase();
      await cluster.stop();
    },
  };
};

test(
  "restores a backup by the guide, verifies it against the kept checkpoint and holds its runs",
  () =>
    inTemporaryFolder(async (folder) => {
      const place = { site: path.join(folder, "site"), backup: path.join(folder, "backup") };
      fs.mkdirSync(place.backup);
      const keys = path.join(place.site, ".countersign", "keys");
      const [checkpoint = "", copy = ""] = stepsOf("backup");
      const [verify = ""] = stepsOf("verify");

      const installation = await testInstallation();
      const first = await startDatabase(place);
      desk = await openDesk(first.urls, installation);
      fs.writeFileSync(path.join(keys, "signing.key"), desk.keys.pem);
      fs.copyFileSync(getAnchorFile(installation.home), getAnchorFile(path.join(place.site, ".countersign")));
      fs.writeFileSync(path.join(keys, "vault.key"), desk.keys.vault);
      const kept = await startRun(desk, "honest", MAIL);
      await drive(desk, kept);
      shell(place, checkpoint);
      await first.stop();
      shell(place, copy);

      const second = await startDatabase(place);
      const lost = await startRun({ ...desk, urls: { ...desk.urls, ...second.urls } }, "honest", MAIL);
      await drive({ ...desk, urls: { ...desk.urls, ...second.urls } }, lost);
      shell(place, 'npx countersign checkpoint --out "$BACKUP/later.json"');
      await second.stop();
      fs.rmSync(place.site, { recursive: true });

      const fresh = { ...place, site: path.join(folder, "elsewhere") };
      fs.mkdirSync(fresh.site);
      for (const step of stepsOf("restore")) shell(fresh, step);
      const third = await startDatabase(fresh);
      try {
        expect(await holdUnfinished(third.urls.admin, refuse("run_frozen"))).toEqual({ runs: 1, requests: 0 });
        // Nothing signs until an operator explains the missing journal.
        expect(shell(fresh, "npx countersign checkpoint 2>&1 || true")).toContain("(journal_missing)");
        leaveNotice([path.join(fresh.site, ".countersign")], "restored");
        expect(JSON.parse(shell(fresh, "npx countersign keys journal"))).toMatchObject({ files: 0, notice: "restored" });
        expect(shell(fresh, "npx countersign checkpoint")).toContain("countersign/checkpoint/v1");
        expect(JSON.parse(shell(fresh, verify))).toMatchObject({ ok: true, workspaces: [{ workspace: desk.workspace, logged_since: 0 }] });
        expect(JSON.parse(shell(fresh, `${verify.replace("checkpoint.json", "later.json")} || true`))).toMatchObject({
          ok: false,
          reason: "log_shorter",
        });
        expect(JSON.parse(shell(fresh, "npx countersign restored"))).toMatchObject({
          released: [],
          held: [{ run: kept, status: "waiting" }],
        });
        expect(JSON.parse(shell(fresh, "npx countersign restored --release-all"))).toEqual({ released: [kept], held: [] });
      } finally {
        await third.stop();
      }
    }),
  120_000,
);
