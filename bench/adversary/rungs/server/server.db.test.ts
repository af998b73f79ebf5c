/** Same as `npm run adversary -- --rung server`. */
import { describe, expect, it } from "vitest";
import { listMissingLayers } from "@/lib/mcp/isolation";
import { landlockAbi } from "@/server/sandbox/launcher/native.mjs";
import { hasServerPassed, playServerAttacks, SERVER_ATTACKS, type ServerReport } from "./play";

const play = (isSandboxed: boolean): Promise<ServerReport> => playServerAttacks(SERVER_ATTACKS, isSandboxed, () => undefined);

const succeeded = ({ rows }: ServerReport): string[] => rows.flatMap((row) => (row.succeeded ? [row.name] : []));

/** Depend on routes, kernel protocols and user namespaces. */
const OF_MACHINE = new Set([
  "connect to the cloud's metadata",
  "connect past the ports by another protocol",
  "enter a namespace",
  "open an io_uring",
]);

describe("a hostile stdio server", () => {
  it("gains nothing that the available sandbox layers cover", async () => {
    const report = await play(true);
    expect(report.rows.flatMap(({ name, broken }) => (broken === null ? [] : [`${name}: ${broken}`]))).toEqual([]);
    expect(listMissingLayers(report.probe).length === 0).toBe(landlockAbi() >= 4);
    const isWhole = listMissingLayers(report.probe).length === 0;
    expect(isWhole ? succeeded(report) : []).toEqual([]);
    expect(hasServerPassed(report)).toBe(isWhole);
  }, 300_000);

  it("succeeds with each attack without the launcher", async () => {
    const report = await play(false);
    expect(SERVER_ATTACKS.filter((name) => !succeeded(report).includes(name) && !OF_MACHINE.has(name))).toEqual([]);
    expect(hasServerPassed(report)).toBe(false);
  }, 300_000);
});
