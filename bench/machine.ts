import os from "node:os";
import type { BenchServer } from "./server";

export type Machine = {
  readonly cores: number;
  readonly processor: string;
  readonly memory_gb: number;
  readonly platform: string;
  readonly node: string;
  /** Null: unused. */
  readonly postgres: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** One minute; above 1, the machine was busy. */
  readonly load_before: number;
};

export const loadNow = (): number => Math.round((os.loadavg()[0] ?? 0) * 100) / 100;

export const machineOf = (server: BenchServer | null, loadBefore: number): Machine => ({
  cores: os.cpus().length,
  processor: os.cpus()[0]?.model.trim() ?? "unknown",
  memory_gb: Math.round(os.totalmem() / 2 ** 30),
  platform: `${os.platform()} ${os.release()} ${os.arch()}`,
  node: process.version,
  postgres: server?.version ?? null,
  settings: server?.settings ?? {},
  load_before: loadBefore,
});

export const describeMachine = (machine: Machine): string => {
  const settings = Object.entries(machine.settings).map(([name, value]) => `${name}=${value}`);
  const postgres = machine.postgres === null ? [] : [`Postgres ${machine.postgres} on the same machine (${settings.join(", ")})`];
  const hardware = `${machine.cores} cores (${machine.processor}), ${machine.memory_gb} GB, ${machine.platform}`;

  return [`Measured on ${hardware}, Node ${machine.node}`, ...postgres, `load before ${machine.load_before}`].join("; ");
};
