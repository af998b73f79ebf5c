import { describe, expect, it, test } from "vitest";
import { GUARDS } from "./ablation";
import { benignRuns } from "./benign";
import { episodeOf, play, violationsOf, type Step } from "./episode";
import { explore, smallest } from "./explore";
import { STRATEGIES } from "./strategies/table";

describe("the adversary", () => {
  it("mixes more than a hundred strategies", () => {
    expect(Object.keys(STRATEGIES).length).toBeGreaterThan(100);
  });

  test("is absent from benign runs, which complete with the expected approvals", () => {
    expect(benignRuns().flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("gains nothing from any sequence of moves that fast-check generates", () => {
    expect(explore({ seed: 1, runs: 40, mostMoves: 20 })).toBeNull();
  });
});

describe("the harness", () => {
  it("repeats an episode exactly", () => {
    const [one, other] = [play(episodeOf(7)), play(episodeOf(7))].map(({ run }) => run.state().head);
    expect(one).toBe(other);
  });

  it.each([
    ["write grants", ["desk"], 5],
    ["approval of every effect", ["map that asks"], 5],
    ["a supervisor's nodes", ["supervisor"], 5],
    ["a hand-off is to a peer", ["swarm"], 5],
  ])("shrinks an attack to a handful of steps when one guard is off: %s", (guard, scenarios, most) => {
    const found = explore({ rules: GUARDS[guard], seed: 1, runs: 2_000, mostMoves: 20, scenarios });
    expect(found?.trace.length).toBeLessThanOrEqual(most);
  });

  it("reports a successful attack as the fewest steps that still succeed", () => {
    const rules = GUARDS["approval of every effect"];
    const seed = Array.from({ length: 200 }, (_none, at) => at).find((at) => violationsOf(episodeOf(at), rules).length > 0) ?? 0;
    const episode = episodeOf(seed);
    const property = violationsOf(episode, rules)[0]?.property ?? "";
    const breaks = (steps: readonly Step[]) => violationsOf({ ...episode, steps }, rules).some((found) => found.property === property);
    const least = smallest(episode, property, rules);
    expect(breaks(least)).toBe(true);
    for (const index of least.keys()) expect(breaks(least.filter((_step, at) => at !== index))).toBe(false);
  });
});
