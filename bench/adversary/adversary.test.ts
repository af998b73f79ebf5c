/** A small campaign in every test run; `npm run adversary` is the large one. */
import { describe, expect, it, test } from "vitest";
import { newKey } from "@/lib/engine/testing/ledger";
import { ablate, GUARDS } from "./ablation";
import { benignRuns } from "./benign";
import { differencesOf, episodeOf, play, violationsOf, type Step } from "./episode";
import { explore, smallest } from "./explore";
import { judgeEverything } from "./oracle/everything";
import { judgeProof } from "./oracle/proof";
import { RUNGS, STRATEGIES } from "./strategies/table";

const EPISODES = 60;
/** Guards whose absence shows at once; the others take the large campaign. */
const QUICK = [
  "read grants",
  "the agent's ceiling",
  "strict taint",
  "approval of every effect",
  "a receipt is for one transition",
  "reservations side by side",
  "a supervisor's nodes",
  "judges have no tools",
  "what a tool is cleared for",
  "recalled once",
  "whoever may start",
];

describe("somebody hostile", () => {
  it.each(RUNGS)("gets nothing from any of the graphs on %s", async (rung) => {
    const key = await newKey("adversary");
    for (let seed = 0; seed < EPISODES; seed += 1) {
      const episode = episodeOf(seed, rung);
      const world = play(episode);
      const again = seed % 15 === 0 ? [...differencesOf(episode), ...(await judgeProof(world, key, seed))] : [];
      expect([...judgeEverything(world), ...again]).toEqual([]);
    }
  });

  it("has more than a hundred strategies to mix", () => {
    expect(Object.keys(STRATEGIES).length).toBeGreaterThan(100);
  });

  test("is not needed for the workflows to complete, with the expected approvals", () => {
    expect(benignRuns().flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("gets nothing from any sequence of moves that fast-check can think of", () => {
    expect(explore({ seed: 1, runs: 40, mostMoves: 20 })).toBeNull();
  });
});

describe("the harness", () => {
  it.each(QUICK)("notices when this is missing: %s", (guard) => {
    expect(ablate(guard, 1, 400).episodes).not.toBeNull();
  });

  it("plays an episode the same way again", () => {
    const [one, other] = [play(episodeOf(7)), play(episodeOf(7))].map(({ run }) => run.state().head);
    expect(one).toBe(other);
  });

  it.each([
    ["write grants", ["desk"], 5],
    ["approval of every effect", ["map that asks"], 5],
    ["a supervisor's nodes", ["supervisor"], 5],
    ["a hand-off is to a peer", ["swarm"], 5],
  ])("shrinks what the absence of %s lets through to a handful of steps", (guard, scenarios, most) => {
    const found = explore({ rules: GUARDS[guard], seed: 1, runs: 2_000, mostMoves: 20, scenarios });
    expect(found?.trace.length).toBeLessThanOrEqual(most);
  });

  it("shows a success of the campaign as the fewest steps that still succeed", () => {
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
