/** A small campaign in every test run; `npm run adversary` is the large one. */
import { describe, expect, it, test } from "vitest";
import { newKey } from "@/lib/engine/testing/ledger";
import { ablate, GUARDS } from "./ablation";
import { benignRuns } from "./benign";
import { episodeOf, leaksOf, play, shrink, violationsOf } from "./episode";
import { judgeEverything } from "./oracle/everything";
import { judgeProof } from "./oracle/proof";
import { STRATEGIES } from "./strategies/table";

const EPISODES = 150;
/** Guards whose absence shows at once; the others take the large campaign. */
const QUICK = ["read grants", "the agent's ceiling", "strict taint", "approval of every effect", "a receipt is for one transition"];

describe("a fully compromised model", () => {
  it("gets nothing from any of the graphs", async () => {
    const key = await newKey("adversary");
    for (let seed = 0; seed < EPISODES; seed += 1) {
      const episode = episodeOf(seed);
      const world = play(episode);
      const again = seed % 15 === 0 ? [...leaksOf(episode), ...(await judgeProof(world, key, seed))] : [];
      expect([...judgeEverything(world), ...again]).toEqual([]);
    }
  });

  it("has at least sixty strategies to mix", () => {
    expect(Object.keys(STRATEGIES).length).toBeGreaterThanOrEqual(60);
  });

  test("is not needed for the workflows to complete, with the expected approvals", () => {
    expect(benignRuns().flatMap(({ violations }) => violations)).toEqual([]);
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

  it("shows a success as the fewest steps that still succeed", () => {
    const rules = GUARDS["approval of every effect"];
    const seed = ablate("approval of every effect", 1, 400).episodes ?? 0;
    const succeeds = (episode: ReturnType<typeof episodeOf>) => violationsOf(episode, rules).length > 0;
    const smallest = shrink(episodeOf(seed), succeeds);
    expect(succeeds(smallest)).toBe(true);
    for (const index of smallest.steps.keys())
      expect(succeeds({ ...smallest, steps: smallest.steps.filter((_step, at) => at !== index) })).toBe(false);
  });
});
