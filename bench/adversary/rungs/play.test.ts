import { describe, expect, it } from "vitest";
import { RUNGS } from "./attack";
import { buildRungReport, hasPassed, listAttacks, type AttackRow } from "./play";

const row = (change: Partial<AttackRow> = {}): AttackRow => ({
  name: "edit a stored gate",
  why: "",
  succeeded: false,
  noticedAs: "frozen: hash at record 3",
  broken: null,
  seconds: 1,
  ...change,
});

describe("a rung", () => {
  it("has at least 25 database, 15 web-process and 15 admin attacks, with unique names", () => {
    const names = RUNGS.map((rung) => listAttacks(rung).map(({ name }) => name));
    expect(names.map((all) => new Set(all).size)).toEqual(names.map((all) => all.length));
    expect(names[0]?.length).toBeGreaterThanOrEqual(25);
    expect(names[1]?.length).toBeGreaterThanOrEqual(15);
    expect(names[2]?.length).toBeGreaterThanOrEqual(15);
  });

  it("counts attacks, successes and notices", () => {
    const rows = [row(), row({ name: "delete a record", succeeded: true, noticedAs: null })];
    expect(buildRungReport("database", rows)).toMatchObject({ rung: "database", attacks: 2, successes: 1, noticed: 1 });
  });

  it.each([
    ["no attack was played", "database", []],
    ["an attack succeeded", "database", [row({ succeeded: true })]],
    ["a program ended with an error", "web", [row({ broken: "Error" })]],
    ["a database attack was not noticed", "database", [row({ noticedAs: null })]],
  ] as const)("fails when %s", (_why, rung, rows) => {
    expect(hasPassed(buildRungReport(rung, rows))).toBe(false);
  });

  it.each(RUNGS)("passes when nothing succeeded and everything was noticed: %s", (rung) => {
    expect(hasPassed(buildRungReport(rung, [row()]))).toBe(true);
  });
});
