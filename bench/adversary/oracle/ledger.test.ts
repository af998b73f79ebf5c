import { describe, expect, it, test } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { episodeOf, play, violationsOf } from "@/bench/adversary/episode";
import type { World } from "@/bench/adversary/world";
import { judgeLedger } from "./ledger";

/** One node's record ends the run and abandons another's calls. */
const GIVEN_UP = [292, 1943, 4347, 4362, 5324];

test.each(GIVEN_UP)("reports no fault in episode %i, whose last record abandons another node's calls", (seed) => {
  expect(violationsOf(episodeOf(seed))).toEqual([]);
});

const isGivenUp = (event: RunEvent) => event.type === "effect_settled" && event.outcome === "abandoned";

const withEvents = (world: World, change: (events: readonly RunEvent[], index: number) => readonly RunEvent[]): World => {
  const records = world.run.records().map((signed, index): SignedRecord => ({
    ...signed,
    record: { ...signed.record, control: [...change(signed.record.control, index)] },
  }));

  return { ...world, run: { ...world.run, records: () => records } };
};

const found = (world: World) => judgeLedger(world).map(({ what }) => what.replace(/^record \d+ \(\w+\): /u, ""));

describe("another node's call", () => {
  const world = play(episodeOf(4362));
  const last = world.run.records().length - 1;
  const given = world.run.records().at(-1)?.record.control.find(isGivenUp);
  if (given?.type !== "effect_settled") throw new Error("episode 4362 gives up no call");

  it("cannot be answered in the record that ends the run", () => {
    const answered = withEvents(world, (events) => events.map((event) => (event === given ? { ...given, outcome: "ok" } : event)));
    expect(found(answered)).toContain("another node said what came of an effect");
  });

  it("cannot be abandoned while the run continues", () => {
    const early = withEvents(world, (events, index) => {
      const others = events.filter((event) => event !== given);

      return index === last - 1 ? [...others, given] : others;
    });
    expect(found(early)).toContain("an executor gave a call up while its run went on");
  });

  it("cannot stay open when the run ends", () => {
    const open = withEvents(world, (events) => events.filter((event) => event !== given));
    expect(found(open)).toContain("the run ended and a call stayed open for good");
  });
});

/** Cancelled with several effects left to undo. */
const leftInPlace = (seed: number) => episodeOf(seed, "A5", { scenarios: ["compensation"], moves: ["cancel in any role"], quiet: 30 });

const isUndone = (event: RunEvent) => event.type === "compensation_settled";

test.each([6, 7])("reports no fault in episode %i, whose cancelled run leaves several effects in place", (seed) => {
  const episode = leftInPlace(seed);
  expect(
    play(episode)
      .run.records()
      .some(({ record: { control } }) => control.filter(isUndone).length > 1),
  ).toBe(true);
  expect(violationsOf(episode)).toEqual([]);
});

test("reports undos settled oldest first by a record that does not cancel the run", () => {
  const failed = withEvents(play(leftInPlace(6)), (events) =>
    events.map((event) => (event.type === "status_changed" && event.to === "cancelled" ? { ...event, to: "failed" } : event)),
  );
  expect(found(failed)).toContain("an undo was settled out of turn");
});
