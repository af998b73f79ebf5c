/** Same as `npm run adversary -- --rung worker`. */
import { expect, it } from "vitest";
import { listMissingLayers } from "@/lib/mcp/isolation";
import { probeIsolation } from "@/server/sandbox/probe";
import { inTemporaryFolder } from "@/bin/testing";
import { testDatabase } from "@/server/testing/database";
import { SYSTEM_ATTACKS, WORKER_ATTACKS } from "./attacks";
import { playWorkerAttacks } from "./play";

const urls = await testDatabase("runner");

const hasSandbox = async (): Promise<boolean> => {
  let isWhole = false;
  await inTemporaryFolder(async (folder) => {
    isWhole = listMissingLayers(await probeIsolation(process.cwd(), folder)).length === 0;
  });

  return isWhole;
};

it("gives a hostile worker nothing beyond its input", async (context) => {
  context.skip(!(await hasSandbox()), "a layer of the sandbox is missing on this machine");
  const { rows } = await playWorkerAttacks(WORKER_ATTACKS, { urls, isSandboxed: true, say: () => undefined });
  expect(rows.filter(({ succeeded, broken }) => succeeded || broken !== null)).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(15);
}, 600_000);

it("lets the same programs read keys and write files without the sandbox", async () => {
  const names = SYSTEM_ATTACKS.filter((name) => /signing|environment|bundle|socket|start a process/u.test(name));
  const { rows } = await playWorkerAttacks(names, { urls, isSandboxed: false, say: () => undefined });
  expect(rows.flatMap(({ name, succeeded }) => (succeeded ? [name] : []))).toEqual(
    expect.arrayContaining(["read signing.key", "write the worker's bundle", "connect to a local service by a socket", "start a process"]),
  );
}, 300_000);
