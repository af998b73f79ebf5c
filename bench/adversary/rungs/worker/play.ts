import { listMissingLayers, type Isolation } from "@/lib/mcp/isolation";
import type { TestDatabase } from "@/server/testing/database";
import { CHANNEL_ATTACKS, RUN_ATTACKS } from "./attacks";
import { makeStand, type Facts, type Said } from "./fixture";

export type WorkerRow = {
  readonly name: string;
  readonly succeeded: boolean;
  readonly said: string;
  /** Null: it ran. */
  readonly broken: string | null;
};

export type WorkerReport = {
  readonly rung: "worker";
  readonly attacks: number;
  readonly successes: number;
  /** A missing layer stops nothing. */
  readonly isolation: Isolation;
  readonly rows: readonly WorkerRow[];
};

/** Half a lease: longer blocking endangers other runs. */
const MOST_BLOCKED_MS = 5_000;

const has = (names: readonly string[], name: string): boolean => names.includes(name);

/** Other failures show nothing. */
const DENIED = /^(?:EACCES|EPERM|EXDEV|EROFS|Error: denied)|"status":"refused"|^denied|^Error: the (?:other process|run)|^Suspended/;

/** Harmless: no secrets, a refused login. */
const TELLS = ["find secrets in its environment"];

const succeededBy = (name: string, said: Said, facts: Facts): boolean => {
  const { arrived, isChanged, isVictimAlive, foreignCalls, blockedMs, isRunChanged } = facts;
  if (arrived > 0 || isChanged || !isVictimAlive || foreignCalls > 0 || blockedMs > MOST_BLOCKED_MS || isRunChanged) return true;
  if (has(CHANNEL_ATTACKS, name)) return said !== null;
  if (said?.done === undefined) return false;
  if (facts.holdsSecret(said.done)) return true;

  return !has(TELLS, name) && !has(RUN_ATTACKS, name) && !DENIED.test(said.done);
};

const rowOf = (name: string, said: Said, facts: Facts): WorkerRow => {
  const succeeded = succeededBy(name, said, facts);
  const words = said?.failed ?? said?.done ?? "its channel was closed";
  const isShown = succeeded || said === null || has(TELLS, name) || has(RUN_ATTACKS, name) || DENIED.test(words);

  return { name, succeeded, said: words.slice(0, 120), broken: isShown ? null : `it failed for another reason: ${words}` };
};

/** @param isSandboxed false: shows the launcher's effect */
export const playWorkerAttacks = async (
  names: readonly string[],
  { urls, isSandboxed, say }: { readonly urls: TestDatabase; readonly isSandboxed: boolean; readonly say: (line: string) => void },
): Promise<WorkerReport> => {
  const stand = await makeStand(urls, isSandboxed);
  const rows: WorkerRow[] = [];
  try {
    for (const name of names) {
      const { said, facts } = await stand.play(name, has(RUN_ATTACKS, name));
      const row = rowOf(name, said, facts);
      rows.push(row);
      say(`${name}: ${row.broken ?? (row.succeeded ? "succeeded" : "failed")}, ${row.said.split("\n")[0] ?? ""}`);
    }
  } finally {
    await stand.close();
  }

  return {
    rung: "worker",
    attacks: rows.length,
    successes: rows.filter(({ succeeded }) => succeeded).length,
    isolation: stand.isolation,
    rows,
  };
};

/** Nothing succeeded, programs ended as expected, and layers hold. */
export const hasWorkerPassed = ({ attacks, successes, isolation, rows }: WorkerReport): boolean =>
  attacks > 0 && successes === 0 && listMissingLayers(isolation).length === 0 && rows.every(({ broken }) => broken === null);
