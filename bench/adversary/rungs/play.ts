/** Plays the attacks of a rung, each against a copy of one installation. */
import type { Attack, Report, Rung } from "./attack";
import { DATABASE_ATTACKS } from "./database/all";
import { makeInstallation } from "./installation";
import { WEB_ATTACKS } from "./web/all";
import { makeWorld } from "./world";

export type AttackRow = Report & {
  readonly name: string;
  readonly why: string;
  readonly seconds: number;
  /** The error that ended the attack program; then it shows nothing. */
  readonly broken: string | null;
};

/** `noticed` counts attacks for which the installation has a name. */
export type RungReport = {
  readonly rung: Rung;
  readonly attacks: number;
  readonly successes: number;
  readonly noticed: number;
  readonly rows: readonly AttackRow[];
};

export const listAttacks = (rung: Rung): readonly Attack[] => (rung === "database" ? DATABASE_ATTACKS : WEB_ATTACKS);

/** Plays these attacks one after the other. @param say is given a line for each */
export const playAttacks = async (rung: Rung, names: readonly string[], say: (line: string) => void): Promise<AttackRow[]> => {
  const installation = await makeInstallation(say);
  const played: AttackRow[] = [];
  try {
    for (const { name, why, run } of listAttacks(rung).filter((attack) => names.includes(attack.name))) {
      const startedMs = performance.now();
      const opened = await installation.open();
      try {
        const report = await run(makeWorld(opened, rung)).then(
          (outcome) => ({ ...outcome, broken: null }),
          (error: unknown) => ({
            succeeded: false,
            noticedAs: null,
            broken: error instanceof Error ? (error.stack ?? error.message) : String(error),
          }),
        );
        played.push({ name, why, ...report, seconds: (performance.now() - startedMs) / 1_000 });
        const outcome = report.broken ?? (report.succeeded ? "succeeded" : "failed");
        say(`${name}: ${outcome}, ${report.noticedAs ?? "not noticed"}`);
      } finally {
        await opened.close();
      }
    }
  } finally {
    await installation.close();
  }

  return played;
};

/** @param played in any order */
export const buildRungReport = (rung: Rung, played: readonly AttackRow[]): RungReport => {
  const order = listAttacks(rung).map(({ name }) => name);
  const rows = played.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));

  return {
    rung,
    attacks: rows.length,
    successes: rows.filter(({ succeeded }) => succeeded).length,
    noticed: rows.filter(({ noticedAs }) => noticedAs !== null).length,
    rows,
  };
};

/** No attack succeeded, each program ended, and each attack of the database rung was noticed by name. */
export const hasPassed = ({ rung, attacks, successes, rows }: RungReport): boolean =>
  attacks > 0 && successes === 0 && rows.every(({ broken, noticedAs }) => broken === null && (rung === "web" || noticedAs !== null));
