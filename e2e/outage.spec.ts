import fs from "node:fs";
import path from "node:path";
import { expect, type APIResponse, type Page } from "@playwright/test";
import pg from "pg";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const postmaster = (home: string): number => {
  const dataDir = fs.readFileSync(path.join(home, "postgres-place"), "utf8").trim();

  return Number(fs.readFileSync(path.join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
};

type Started = { readonly run: string; readonly ends: "completed" | "waiting" };

const CHECKED = {
  draft: { title: "Trees", summary: "Trees cool.", body: "Trees cool streets.\n\nSources: none" },
  dossier: "A: Trees cool streets.",
};
const ASKED = { question: "Do street trees cool a city in summer?" };

const dataOf = async <Answer>(answer: APIResponse): Promise<Answer> => {
  expect(answer.ok(), await answer.text()).toBe(true);
  const { result } = (await answer.json()) as { result: { data: Answer } };

  return result.data;
};

/** Starts slow demo runs: one ends waiting for a person, the others complete. */
const startRuns = async (page: Page, origin: string): Promise<readonly Started[]> => {
  const graphs = await dataOf<{ name: string; version: { hash: string } | null }[]>(
    await page.request.get(`${origin}/api/trpc/graphs.list`),
  );
  const start = async (name: string, inputs: unknown, ends: Started["ends"]): Promise<Started> => {
    const hash = graphs.find((graph) => graph.name === name)?.version?.hash;
    const data = { graphHash: hash, goal: "Go on whatever happens", model: "scripted:honest", inputs };
    const headers = { "content-type": "application/json", origin };
    const { runId: run } = await dataOf<{ runId: string }>(await page.request.post(`${origin}/api/trpc/runs.start`, { headers, data }));

    return { run, ends };
  };
  const checks = Array.from({ length: 3 }, () => start("Fact check", CHECKED, "completed"));

  return Promise.all([...checks, start("Research and publish", ASKED, "waiting")]);
};

/** Runs' statuses and numbers of records younger than `ms`. */
const standing = async (home: string, runs: readonly Started[], ms: number): Promise<{ status: string; younger: number }[]> => {
  const { admin } = JSON.parse(fs.readFileSync(path.join(home, "database.json"), "utf8")) as { readonly admin: string };
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    const { rows } = await client.query<{ status: string; younger: number }>(
      `select status, (select count(*)::int from ledger_record where run_id = run.id and (body::jsonb ->> 'at')::bigint > $2) as younger
       from run where id = any($1::uuid[]) order by array_position($1::uuid[], id)`,
      [runs.map(({ run }) => run), ms],
    );

    return rows;
  } finally {
    await client.end();
  }
};

const PLACES = ["/api/health", "/api/trpc/graphs.list", "/runs", "/api/ledger/export"] as const;

test("every page answers 503 with one sentence while the database is down; afterwards the running run continues", async ({
  page,
  installation: { origin, home, running },
}) => {
  await signInAs(page, "builder");
  const before = postmaster(home);
  const runs = await startRuns(page, origin);
  const killedMs = Date.now();
  process.kill(before, "SIGKILL");

  const said = new Map<string, string>();
  const look = async (): Promise<number> => {
    for (const place of PLACES) {
      const answer = await page.request.get(`${origin}${place}`);
      if (answer.status() === 503) said.set(place, await answer.text());
    }

    return said.size;
  };
  await expect.poll(look, { intervals: [20], timeout: 30_000 }).toBe(PLACES.length);
  for (const text of said.values()) expect(text).toContain("The database is not responding");
  expect(JSON.parse(said.get("/api/health") ?? "")).toMatchObject({ web: "ok", database: "down" });

  await running.seen(/Postgres stopped \(it ended with SIGKILL\)/u);
  await expect.poll(async () => (await page.request.get(`${origin}/api/health`)).status(), { timeout: 60_000 }).toBe(200);
  expect(postmaster(home)).not.toBe(before);
  await expect
    .poll(async () => (await standing(home, runs, killedMs)).map(({ status }) => status), { timeout: 60_000 })
    .toEqual(runs.map(({ ends }) => ends));
  expect((await standing(home, runs, killedMs)).some(({ younger }) => younger > 0)).toBe(true);
  expect(running.child.exitCode).toBeNull();
});
