/** L1: without an adversary, graphs end as expected. */
import { isTerminal } from "@/lib/engine/event";
import { judgeEverything } from "./oracle/everything";
import type { Random } from "./random";
import { SCENARIOS } from "./scenarios/all";
import type { Scenario } from "./scenarios/building-blocks";
import { work } from "./strategies/honest";
import { newWorld, openGateOf, review, reviewers, type Violation } from "./world";

const MOST_STEPS = 120;

const STEADY: Random = { next: () => 0, int: () => 0, chance: () => true, pick: ([first]) => first, some: ([first]) => first };

export type Benign = { readonly scenario: string; readonly approvals: number; readonly violations: readonly Violation[] };

const benignRun = (scenario: Scenario): Benign => {
  const world = newWorld(scenario);
  for (let step = 0; step < MOST_STEPS && !isTerminal(world.run.state().status); step += 1) {
    work(world, STEADY);
    for (const by of reviewers) if (openGateOf(world)) review(world, by);
  }
  const approvals = world.run.records().filter(({ record }) => record.kind === "transition" && record.proposal_kind === "decision").length;
  const { status, compensation } = world.run.state();
  const undone = compensation.every(({ outcome }) => outcome === "done" || status === "completed");
  const asExpected = status === (scenario.ends ?? "completed") && approvals === scenario.approvals && undone;
  const late = asExpected ? [] : [{ property: "L1", what: `${scenario.name}: ${status} with ${approvals} approvals` }];

  return { scenario: scenario.name, approvals, violations: [...late, ...judgeEverything(world)] };
};

export const benignRuns = (): Benign[] => SCENARIOS.map(benignRun);
