import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exportSchema } from "@/lib/engine/ledger/export";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openReviewDesk, type ReviewDesk } from "@/server/reading/testing/review-desk";
import { drive } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn } from "./testing.ts";

vi.setConfig({ testTimeout: 180_000 });

const CANARY = `canary-${randomUUID()}`;
const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
let review: ReviewDesk;
let run: string;

beforeAll(async () => {
  review = await openReviewDesk(urls, installation, CANARY);
  fs.writeFileSync(path.join(home, "keys", "signing.key"), review.desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  run = await review.start();
}, 120_000);
afterAll(() => review.desk.mcp.close());

const exported = () => countersign(["export", run, "--out", path.join(home, "export.json")], { COUNTERSIGN_HOME: home });
const written = () => fs.readFileSync(path.join(home, "export.json"), "utf8");

test("countersign export omits values under review and says so, verifies, and has every value after the review", async () => {
  const during = await exported();
  expect(during).toMatchObject({ code: 0, stderr: expect.stringMatching(/all values in plain text except \d+ under review/u) as string });
  expect(written()).not.toContain(CANARY);
  const state = () => countersign(["state", run], { COUNTERSIGN_HOME: home });
  expect(await state()).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining(CANARY) as string,
    stderr: expect.stringMatching(/\d+ values are under review/u) as string,
  });
  const document = exportSchema.parse(JSON.parse(written()));
  expect(document.ledger.cells.some(({ opened }) => opened === null)).toBe(true);
  expect(await countersign(["verify", fileIn(home, "during.json", document)])).toMatchObject({ code: 0 });

  await review.speak(run, "approve");
  await drive(review.desk, run);
  fs.rmSync(path.join(home, "export.json"));
  expect((await exported()).stderr).not.toContain("under review");
  expect(written()).toContain(CANARY);
});
