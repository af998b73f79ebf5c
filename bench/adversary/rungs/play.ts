/** Each attack gets a copy of one installation. */
import { ADMIN_ATTACKS } from "./admin/all";
import type { Attack, Report, Rung } from "./attack";
import { DATABASE_ATTACKS } from "./database/all";
import { makeInstallation, type Installation } from "./installation";
import { reportOutcome, reportPayments } from "./report-outcome";
import { WEB_ATTACKS } from "./web/all";
import { completePaidRun, denialOf, keepCheckpoint, makeWorld, type World } from "./world";

export type AttackRow = Report & {
  readonly name: string;
  readonly why: string;
  readonly seconds: number;
  /** The program failed, which shows nothing. */
  readonly broken: string | null;
};

/** `noticed`: named by the installation. */
export type RungReport = {
  readonly rung: Rung;
  readonly attacks: number;
  readonly successes: number;
  readonly noticed: number;
  readonly rows: readonly AttackRow[];
};

const ATTACKS: Readonly<Record<Rung, readonly Attack[]>> = {
  database: DATABASE_ATTACKS,
  web: WEB_ATTACKS,
  admin: ADMIN_ATTACKS,
};

export const listAttacks = (rung: Rung): readonly Attack[] => ATTACKS[rung];

type Outcome = Report & Pick<AttackRow, "broken">;

/** Only a denied statement ends an attack. */
const outcomeOf = async (attack: Attack, world: World): Promise<Outcome> => {
  try {
    return { ...(await attack.run(world)), broken: null };
  } catch (error) {
    if (denialOf(error)) return { ...(await reportOutcome(world, false)), broken: null };

    return { succeeded: false, noticedAs: null, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

const withCopy = async <T>(installation: Installation, rung: Rung, work: (world: World) => Promise<T>): Promise<T> => {
  const copy = await installation.open();
  try {
    return await work(makeWorld(copy, rung));
  } finally {
    await copy.close();
  }
};

/** The till pays once, unnoticed. @throws Error otherwise */
const checkHonestRun = async (world: World): Promise<void> => {
  await completePaidRun(world);
  await keepCheckpoint(world);
  const { succeeded, noticedAs } = await reportPayments(world, 1);
  if (succeeded || noticedAs !== null) throw new Error(`an honest run is taken for an attack: ${noticedAs ?? "paid twice"}`);
};

/** Makes an installation that takes no honest run for an attack. The caller closes it. */
export const makeTarget = async (say: (line: string) => void): Promise<Installation> => {
  const installation = await makeInstallation(say);
  try {
    await withCopy(installation, "web", checkHonestRun);
  } catch (error) {
    await installation.close();
    throw error;
  }

  return installation;
};

export const playAttacks = async (
  installation: Installation,
  rung: Rung,
  names: readonly string[],
  say: (line: string) => void,
): Promise<AttackRow[]> => {
  const rows: AttackRow[] = [];
  for (const attack of listAttacks(rung).filter(({ name }) => names.includes(name))) {
    const startedMs = performance.now();
    const outcome = await withCopy(installation, rung, (world) => outcomeOf(attack, world));
    rows.push({ name: attack.name, why: attack.why, ...outcome, seconds: (performance.now() - startedMs) / 1_000 });
    const verdict = outcome.broken ?? (outcome.succeeded ? "succeeded" : "failed");
    say(`${attack.name}: ${verdict}, ${outcome.noticedAs ?? "not noticed"}`);
  }

  return rows;
};

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

/** Nothing succeeded, and each database attack was noticed. */
export const hasPassed = ({ rung, attacks, successes, rows }: RungReport): boolean =>
  attacks > 0 && successes === 0 && rows.every(({ broken, noticedAs }) => broken === null && (rung !== "database" || noticedAs !== null));
