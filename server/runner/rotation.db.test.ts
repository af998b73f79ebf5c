import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { rotateBatch, startRotations } from "@/server/runner/rotation";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import type { RotationOrder } from "@/server/runner/testing/rotation-child";
import { createVault, type Vault } from "@/server/security/vault";
import { countCellsUnderOlder, findRotationTo, startRotation } from "@/server/store/ledger/cells-rotation";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const BATCH = 3;
let desk: Desk;
let run: string;
let cells: number;
let first: string;

const keysOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${index + 1} ${index === 0 ? first : index.toString(16).padStart(64, "a")}\n`).join("");
const ringOf = (count: number): Vault => createVault(keysOf(count));
const newestOf = (count: number): Vault => createVault(keysOf(count).split("\n").at(-2)!);

const finish = async (vault: Vault): Promise<string> => {
  for (;;) {
    const step = await rotateBatch(vault, BATCH);
    if (step !== "more") return step;
  }
};

const contents = () =>
  query<{ seq: number; index: number; sealed: Buffer }>(urls.admin, "select seq, index, sealed from cell order by 1, 2");
const readWith = (vault: Vault) => readRun({ ...desk, deps: { ...desk.deps, vault } }, run);

const child = path.join(installation.home, "build", "rotation-child.mjs");
const rotateUntilKilled = (order: Omit<RotationOrder, "url">): Promise<NodeJS.Signals | null> => {
  const running = spawn(process.execPath, [child], { stdio: ["pipe", "inherit", "inherit"], cwd: installation.root });
  running.stdin.end(JSON.stringify({ url: urls.runner, ...order }));

  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("exit", (_code, signal) => resolve(signal));
  });
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  first = desk.keys.vault;
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  cells = (await contents()).length;
  await bundleInto(installation, { "rotation-child": "./server/runner/testing/rotation-child.ts" });
}, 120_000);
afterAll(() => desk.mcp.close());

describe("a rotation of the vault key", () => {
  it("killed with -9 midway resumes repeatedly and loses nothing", async () => {
    const before = await contents();
    expect(cells).toBeGreaterThan(4 * BATCH);
    await startRotation(2);
    let progress = 0;
    for (const dieAfterKey of [BATCH + 3, 2 * BATCH + 1, 1]) {
      expect(await rotateUntilKilled({ keys: keysOf(2), batch: BATCH, dieAfterKey })).toBe("SIGKILL");
      const rotation = await findRotationTo(2);
      expect(rotation).toMatchObject({ finished: false, total: cells });
      // Uncommitted work is not counted; counted cells are rewrapped.
      expect(await countCellsUnderOlder(2)).toBe(cells - (rotation?.rewrapped ?? 0));
      expect(rotation?.rewrapped).toBe(progress + Math.floor((dieAfterKey - 1) / BATCH) * BATCH);
      progress = rotation?.rewrapped ?? 0;
      // Midway, both keys together open everything.
      expect((await readWith(ringOf(2))).records.length).toBeGreaterThan(0);
    }
    await expect(readWith(newestOf(2))).rejects.toThrow("cell_unreadable");
    expect(await finish(ringOf(2))).toBe("done");
    expect(await findRotationTo(2)).toEqual({ version: 2, finished: true, total: cells, rewrapped: cells, unreadable: 0 });
    expect((await readWith(newestOf(2))).records.length).toBeGreaterThan(0);
    await expect(readWith(createVault(first))).rejects.toThrow("cell_unreadable");
    expect(await contents()).toEqual(before);
    expect(await finish(ringOf(2))).toBe("none");
  }, 60_000);

  it("includes cells sealed late under the old key", async () => {
    await startRotation(3);
    expect(await rotateBatch(ringOf(3), cells)).toBe("more");
    // Another process lacks the new key.
    const late = await startRun({ ...desk, deps: { ...desk.deps, vault: ringOf(2) } }, "honest", "01-upgrade.txt");
    await drive({ ...desk, deps: { ...desk.deps, vault: ringOf(2) } }, late);
    const old = await countCellsUnderOlder(3);
    expect(old).toBeGreaterThan(0);
    expect(await finish(ringOf(3))).toBe("done");
    expect(await findRotationTo(3)).toMatchObject({ rewrapped: cells + old });
    expect(await countCellsUnderOlder(3)).toBe(0);
    cells += old;
  }, 60_000);

  it("waits for a command under an old key, and skips values it cannot open", async () => {
    await startRotation(4);
    await asAdmin(urls.admin, "alter table cell disable trigger insert_only");
    const damage = "update cell set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1) where run_id = $1 and seq = 0";
    await asAdmin(urls.admin, damage, [run]);
    const damaged = await query(urls.admin, "select 1 from cell where run_id = $1 and seq = 0", [run]);
    await asAdmin(urls.admin, "alter table cell enable trigger insert_only");
    const id = await command({ ...desk, deps: { ...desk.deps, vault: ringOf(3) } }, run, desk.people.builder, { kind: "cancel" });
    expect(await finish(ringOf(4))).toBe("held");
    await asAdmin(urls.admin, "update command set status = 'refused' where id = $1", [id]);
    expect(await finish(ringOf(4))).toBe("done");
    expect(await findRotationTo(4)).toMatchObject({ finished: true, rewrapped: cells - damaged.length, unreadable: damaged.length });
    expect(await countCellsUnderOlder(4)).toBe(damaged.length);
    await asAdmin(urls.admin, "alter table cell disable trigger insert_only");
    await asAdmin(urls.admin, damage, [run]);
    await asAdmin(urls.admin, "alter table cell enable trigger insert_only");
  }, 60_000);

  it("reseals architect jobs", async () => {
    const id = randomUUID();
    const old = ringOf(4);
    const insert =
      "insert into architect_job (workspace_id, id, user_id, model, body, result, status) values ($1, $2, $3, 'm', $4, $5, 'done')";
    const [body, answer] = (["body", "result"] as const).map((part) =>
      Buffer.from(old.sealCommand(desk.workspace, `architect/${id}/${part}`, part)),
    );
    await asAdmin(urls.admin, insert, [desk.workspace, id, desk.people.builder, body, answer]);
    await startRotation(5);
    expect(await finish(ringOf(5))).toBe("done");
    const [job] = await query<{ body: Buffer; result: Buffer }>(urls.admin, "select body, result from architect_job where id = $1", [id]);
    expect(newestOf(5).openCommand(desk.workspace, `architect/${id}/body`, job!.body)).toBe("body");
    expect(newestOf(5).openCommand(desk.workspace, `architect/${id}/result`, job!.result)).toBe("result");
  });

  it("waits in a runner without the new key, and is carried out by one with it", async () => {
    await startRotation(6);
    expect(await finish(ringOf(5))).toBe("no_key");
    const rotations = startRotations({ vault: ringOf(6) });
    await expect.poll(async () => (await findRotationTo(6))?.finished, { timeout: 10_000 }).toBe(true);
    await rotations.close();
    expect(await countCellsUnderOlder(6)).toBe(0);
  }, 30_000);
});

describe("the database lets the runner only rewrap", () => {
  const KEY = randomBytes(62);
  const newer = "set wrapped_key = '\\x00ff'::bytea || substring(wrapped_key from 3)";

  it.each([
    ["another path", "set path = 'x'"],
    ["another label", "set label = '{}'"],
    ["another commitment", "set commitment = 'x'"],
    ["another content", "set sealed = sealed || ''::bytea, wrapped_key = wrapped_key"],
    ["an older version", "set wrapped_key = '\\x0001'::bytea || substring(wrapped_key from 3)"],
    ["the same version", "set wrapped_key = wrapped_key"],
    ["no version", "set wrapped_key = '\\x00'::bytea"],
    ["a new key with another content", `${newer}, sealed = '\\x00'::bytea`],
    ["nothing, without a tombstone", "set sealed = '', wrapped_key = ''"],
  ])("%s is refused", async (_what, change) => {
    await expect(query(urls.runner, `update cell ${change} where run_id = $1 and seq = 0`, [run])).rejects.toThrow(
      /insert-only|permission denied/u,
    );
  });

  it("a newer version is allowed for the runner, and refused for the web process and the owner", async () => {
    const change = `update cell ${newer} where run_id = $1 and seq = 0 and octet_length($2::bytea) = 62`;
    await expect(query(urls.web, change, [run, KEY])).rejects.toThrow("permission denied");
    await expect(query(urls.admin, change, [run, KEY])).rejects.toThrow("insert-only");
    await expect(query(urls.web, "insert into vault_rotation (version, total) values (9, 0)")).rejects.toThrow("permission denied");
    for (const url of [urls.runner, urls.admin]) {
      await expect(query(url, "delete from cell")).rejects.toThrow(/insert-only|permission denied/u);
      await expect(query(url, "truncate cell")).rejects.toThrow(/insert-only|permission denied/u);
    }
    await query(urls.runner, change, [run, KEY]);
    expect(await countCellsUnderOlder(7)).toBeGreaterThan(0);
  });
});
