import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import type { Effect } from "@/lib/engine/state";
import type { CallProgress } from "@/lib/mcp/progress";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { createProgressKeeper } from "@/server/mcp/progress";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { createVault } from "@/server/security/vault";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const WORDS = `canary-${randomUUID()}`;

let desk: Desk;
let run: string;
let personal: Effect;
let plain: Effect;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  const outputs = new Map(desk.published.tools.map(({ server, tool, output }) => [`${server}/${tool}`, output]));
  const withOutput = (wanted: string): Effect => {
    const found = Object.values(state.effects).find(({ effect }) => outputs.get(`${effect.server}/${effect.tool}`) === wanted);
    if (!found) throw new Error(`the run called no tool whose answers are ${wanted}`);

    return found;
  };
  [personal, plain] = [withOutput("pii"), withOutput("internal")];
  for (const effect of [personal, plain]) await say(effect, { progress: 3, total: 10, message: WORDS });
  await useDatabase(urls.web);
}, 120_000);
afterAll(() => desk.mcp.close());

const say = async ({ effect_id: effectId, effect: { server, tool } }: Effect, progress: CallProgress): Promise<void> => {
  const keeper = createProgressKeeper(createVault(desk.keys.vault));
  keeper.note({ workspace: desk.workspace, effectId, server, tool }, progress);
  await keeper.close();
};

const seen = (role: Role, effect: Pick<Effect, "effect_id">, workspace = desk.workspace) =>
  callerAs(workspace, role, { id: desk.people[role] }).runs.progress({ runId: run, effectId: effect.effect_id });

const codeOf = async (asked: Promise<unknown>): Promise<string> => {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );

  return error instanceof Error && error.cause instanceof AppError ? error.cause.code : "none";
};

describe("how far a call is", () => {
  test("is hidden, numbers included, without clearance for its answer", async () => {
    for (const role of ["viewer", "builder", "admin"] as const) expect(await seen(role, personal)).toBe("hidden");
    expect(await seen("reviewer", personal)).toMatchObject({ progress: 3, total: 10, message: WORDS });
  });

  test("is shown to everyone cleared for its answer", async () => {
    expect(await seen("viewer", plain)).toMatchObject({ progress: 3, total: 10, message: WORDS });
  });

  test("is unreadable in the database", async () => {
    const rows = await query<{ text: string }>(urls.admin, "select encode(sealed, 'escape') as text from call_progress");
    expect(rows).toHaveLength(2);
    expect(rows.some(({ text }) => text.includes(WORDS))).toBe(false);
  });

  test("is missing for other workspaces and unmade calls", async () => {
    expect(await codeOf(seen("viewer", plain, randomUUID()))).toBe("not_found");
    expect(await codeOf(seen("viewer", { effect_id: randomUUID() }))).toBe("not_found");
  });

  test("is not shown from a swapped row", async () => {
    const row = "update call_progress set sealed = (select sealed from call_progress where effect_id = $1) where effect_id = $2";
    await asAdmin(urls.admin, row, [personal.effect_id, plain.effect_id]);
    expect(await seen("viewer", plain)).toBeNull();
  });

  test("is hidden when the arguments' label was lowered in the database", async () => {
    const lower = `update cell set label = regexp_replace(label, '"(internal|pii|secret)"', '"public"') where path = '$arguments.${personal.effect_id}'`;
    await asAdmin(urls.admin, `alter table cell disable trigger user; ${lower}; alter table cell enable trigger user`);
    expect(await seen("reviewer", personal)).toBe("hidden");
  });
});
