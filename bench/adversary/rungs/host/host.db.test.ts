/** Same as `npm run adversary -- --rung host`. */
import { expect, it } from "vitest";
import { listMissingLayers } from "@/lib/mcp/isolation";
import { HOST_ATTACKS, playHostAttacks } from "./play";

const LONG_MS = 600_000;

it("gains nothing from any attack when every layer holds", { timeout: LONG_MS }, async () => {
  const { rows, probe } = await playHostAttacks(HOST_ATTACKS, true, () => undefined);
  const succeeded = rows.flatMap(({ name, said, succeeded: has }) => (has ? [`${name}: ${said}`] : []));
  expect(listMissingLayers(probe).length === 0 ? succeeded : []).toEqual([]);
});

it("reads keys without the sandbox", { timeout: LONG_MS }, async () => {
  const names = ["read signing.key", "connect to the database", "write the runner's bundle", "start a shell"];
  const { rows } = await playHostAttacks(names, false, () => undefined);
  expect(rows.flatMap(({ name, succeeded }) => (succeeded ? [name] : []))).toEqual(names);
});
