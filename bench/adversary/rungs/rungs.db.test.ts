/** Selected attacks; `npm run adversary -- --rung database|web|admin` plays all. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RUNGS, type Rung } from "./attack";
import type { Installation } from "./installation";
import { buildRungReport, hasPassed, listAttacks, makeTarget, playAttacks } from "./play";

const SELECTION: Readonly<Record<Rung, readonly string[]>> = {
  database: [
    "forge an approval under an inserted key",
    "publish a version with relabelled tools",
    "roll a run back to before its effect",
    "swap names with a trigger",
    "change a membership row",
  ],
  admin: [
    "register the application's own command",
    "start by adding",
    "try a quarantined server out",
    "link to the keys",
    "another workspace's server",
  ],
  web: [
    "approve in a reviewer's name",
    "approve through a minted session",
    "sign with a key of its own",
    "send a decision again in another run",
    "prove in a person's name",
    "set a person's password",
    "store a version without a second person",
    "make an agent token",
    "read another workspace's people",
    "guess at the functions of sign-in",
  ],
};

let target: Installation;

beforeAll(async () => {
  target = await makeTarget(() => undefined);
}, 300_000);
afterAll(() => target.close());

describe("a real installation", () => {
  it.each(RUNGS)("stops a selection of the %s rung's attacks", { timeout: 600_000, retry: 0 }, async (rung) => {
    const report = buildRungReport(rung, await playAttacks(target, rung, SELECTION[rung], () => undefined));
    expect(report.rows.flatMap(({ name, broken }) => (broken === null ? [] : [`${name}: ${broken}`]))).toEqual([]);
    expect(report.rows.map(({ name }) => name)).toEqual(
      listAttacks(rung).flatMap(({ name }) => (SELECTION[rung].includes(name) ? [name] : [])),
    );
    expect(report.rows.flatMap(({ name, succeeded }) => (succeeded ? [name] : []))).toEqual([]);
    expect(report.rows.flatMap(({ name, noticedAs }) => (noticedAs === null && rung === "database" ? [name] : []))).toEqual([]);
    expect(hasPassed(report)).toBe(true);
  });
});
