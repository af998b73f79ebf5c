import { listMissingLayers, type Isolation } from "@/lib/mcp/isolation";
import { makeStand, type Facts, type Said } from "./fixture";

export type ServerRow = {
  readonly name: string;
  readonly succeeded: boolean;
  readonly said: string;
  /** Null: it ran. */
  readonly broken: string | null;
};

export type ServerReport = {
  readonly rung: "server";
  readonly attacks: number;
  readonly successes: number;
  /** A missing layer stops nothing. */
  readonly probe: Isolation;
  readonly rows: readonly ServerRow[];
};

export const SERVER_ATTACKS = [
  "read signing.key",
  "read session.key",
  "read vault.key",
  "read database.json",
  "read the runner's environment",
  "open the runner's memory",
  "read the runner's memory",
  "open the runner's descriptors",
  "trace a process of the same user",
  "connect to the database",
  "connect to the web process",
  "connect to a neighbour",
  "connect to the cloud's metadata",
  "send a datagram",
  "connect to a local service by a socket",
  "connect to an abstract socket",
  "connect past the ports by another protocol",
  "connect past the ports while sending",
  "reach this machine through the proxy",
  "reach a host that was not offered through the proxy",
  "connect past the proxy",
  "write the runner's bundle",
  "plant an install script",
  "write into the user's folder",
  "read a key over a symbolic link",
  "read a key over a hard link",
  "read a key by /proc/self/root",
  "read a key by /proc/self/cwd",
  "read an inherited descriptor",
  "read another server's folder",
  "start processes",
  "take all memory",
  "write a file without end",
  "open files without end",
  "use the processor without end",
  "start threads without end",
  "flood the output",
  "become a set-user-id program",
  "become a shell",
  "end a process of the same user",
  "take a process's descriptors away",
  "outlive the runner",
  "enter a namespace",
  "open an io_uring",
] as const;

/** EXDEV: a link out of the granted folder. */
const DENIED = /^(?:EACCES|EPERM|EXDEV|Error: errno (?:1|13)|Error: nothing)$/;

/** In the unit the attack reports. */
const BOUNDS: Readonly<Record<string, number>> = {
  "take all memory": 1_536,
  "write a file without end": 256,
  "open files without end": 1_024,
  "use the processor without end": 1,
  "start threads without end": 512,
  "flood the output": 64,
};

const ENDED_BY_LIMIT: ReadonlySet<string> = new Set(["use the processor without end", "flood the output"]);

const boundBroken = (name: string, text: string): boolean => {
  const bound = BOUNDS[name];

  return bound === undefined ? true : Number.parseInt(text, 10) > bound;
};

const succeededBy = (name: string, said: Said, facts: Facts): boolean => {
  if (facts.arrived > 0 || facts.isChanged || !facts.isVictimAlive) return true;
  // A replaced program reports nothing.
  if (said?.begun) return name.startsWith("become ");

  return said?.done !== undefined && (facts.holdsSecret(said.done) || boundBroken(name, said.done));
};

const rowOf = (name: string, said: Said, facts: Facts): ServerRow => {
  const succeeded = succeededBy(name, said, facts);
  const words = said?.failed ?? said?.done ?? (said?.begun ? "its end" : "nothing");
  const isEnded = said?.begun === true && ENDED_BY_LIMIT.has(name);
  const isShown = succeeded || isEnded || (said?.failed === undefined ? said?.done !== undefined : DENIED.test(said.failed));

  return { name, succeeded, said: words.slice(0, 80), broken: isShown ? null : `it failed for another reason: ${words}` };
};

/** @param isSandboxed false: shows the launcher's effect */
export const playServerAttacks = async (
  names: readonly string[],
  isSandboxed: boolean,
  say: (line: string) => void,
): Promise<ServerReport> => {
  const stand = await makeStand();
  const rows: ServerRow[] = [];
  try {
    for (const name of names) {
      const { said, facts } = await stand.play(name, isSandboxed);
      const row = rowOf(name, said, facts);
      rows.push(row);
      say(`${name}: ${row.broken ?? (row.succeeded ? "succeeded" : "failed")}, ${row.said.split("\n")[0] ?? ""}`);
    }
  } finally {
    await stand.close();
  }

  return {
    rung: "server",
    attacks: rows.length,
    successes: rows.filter(({ succeeded }) => succeeded).length,
    probe: stand.isolation,
    rows,
  };
};

/** Nothing succeeded, programs ended as expected, and layers hold. */
export const hasServerPassed = ({ attacks, successes, probe, rows }: ServerReport): boolean =>
  attacks > 0 && successes === 0 && listMissingLayers(probe).length === 0 && rows.every(({ broken }) => broken === null);
