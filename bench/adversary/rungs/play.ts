/** Plays the attacks of a rung, each against a copy of one installation. */
import type { Attack, Report, Rung } from "./attack";
import { DATABASE_ATTACKS } from "./database/all";
import { makeInstallation } from "./installation";
import { WEB_ATTACKS } from "./web/all";
import { makeWorld } from "./world";

export type Played = Report & {
  readonly name: string;
  readonly why: string;
  readonly seconds: number;
  /** Why the program itself did not come to its end: then it shows nothing. */
  readonly broken: string | null;
};

/** The names are those of the issue: how many there were, how many succeeded, how many were noticed. */
export type RungReport = {
  readonly rung: Rung;
  readonly attacks: number;
  readonly successes: number;
  readonly noticed: number;
  readonly rows: readonly Played[];
};

export const attacksOn = (rung: Rung): readonly Attack[] => (rung === "database" ? DATABASE_ATTACKS : WEB_ATTACKS);

/** Plays these attacks one after the other. @param say is given a line for each */
export const playAttacks = async (rung: Rung, names: readonly string[], say: (line: string) => void): Promise<Played[]> => {
  const installation = await makeInstallation(say);
  const played: Played[] = [];
  try {
    for (const { name, why, run } of attacksOn(rung).filter((attack) => names.includes(attack.name))) {
      const startedMs = performance.now();
      const opened = await installation.open();
      try {
        const report = await run(makeWorld(opened, rung)).then(
          (came) => ({ ...came, broken: null }),
          (error: unknown) => ({
            succeeded: false,
            noticedAs: null,
            broken: error instanceof Error ? (error.stack ?? error.message) : String(error),
          }),
        );
        played.push({ name, why, ...report, seconds: (performance.now() - startedMs) / 1_000 });
        const said = report.broken ?? (report.succeeded ? "SUCCEEDED" : "held");
        say(`${name}: ${said}, ${report.noticedAs ?? "not noticed"}`);
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
export const rungReport = (rung: Rung, played: readonly Played[]): RungReport => {
  const order = attacksOn(rung).map(({ name }) => name);
  const rows = played.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));

  return {
    rung,
    attacks: rows.length,
    successes: rows.filter(({ succeeded }) => succeeded).length,
    noticed: rows.filter(({ noticedAs }) => noticedAs !== null).length,
    rows,
  };
};

/** Nothing succeeded, every program came to its end, and whoever wrote the database was noticed by name. */
export const isHeld = ({ rung, successes, rows }: RungReport): boolean =>
  successes === 0 && rows.every(({ broken, noticedAs }) => broken === null && (rung === "web" || noticedAs !== null));
