/** Guards are in ablation.test.ts. */
import { expect, it } from "vitest";
import { episodesOn } from "./campaign";
import { climb } from "./climb";
import { RUNGS } from "./strategies/table";

const EPISODES = 2_000;
const SEED = 1;

it.each(RUNGS)("lets no adversary succeed on %s", { timeout: 180_000 }, async (rung) => {
  const { successes, rarely, refusals } = await climb({ rung, from: SEED, n: episodesOn(rung, EPISODES) }, () => undefined);
  expect(successes).toEqual([]);
  expect(rarely).toBeGreaterThan(0);
  expect(refusals).toBeGreaterThan(0);
});
