import { expect, test } from "vitest";
import { describeHow } from "./how-text";
import { formatOpenTime } from "./open-time";
import { describeSimilar } from "./similar-text";

type Similar = Parameters<typeof describeSimilar>[0];

const decided = (status: "approved" | "rejected", decider: string): Similar["decisions"][number] => ({
  id: decider,
  runId: "r",
  graphName: "Desk",
  status,
  resolvedAt: 0,
  deciders: [decider],
  summary: "Move",
});

test("similar decisions are counted, and the last who approved is named", () => {
  const decisions = [decided("rejected", "b"), decided("approved", "a")];
  const people = { a: "Rita Voss" };
  const told = (counts: Pick<Similar, "approved" | "alike" | "rejected">) => describeSimilar({ ...counts, decisions, people });
  expect(told({ approved: 14, alike: 0, rejected: 1 })).toBe("approved 14 times, last by Rita Voss; rejected once");
  expect(describeSimilar({ approved: 0, alike: 0, rejected: 0, decisions: [], people })).toBe("");
  expect(told({ approved: 14, alike: 1, rejected: 0 })).toBe("approved 14 times, once with exactly these values, last by Rita Voss");
  expect(told({ approved: 2, alike: 2, rejected: 0 })).toBe("approved 2 times, each time with exactly these values, last by Rita Voss");
});

test("a decision says how it was made and which values were seen", () => {
  const viewing = { openMs: 48_400, opened: 4, unopened: 0, signals: 1 };
  expect(describeHow({ isSigned: true, viewing })).toBe("with a passkey, open for 48 s, saw all 4 values to see, 1 signal shown");
  expect(describeHow({ isSigned: false, viewing: { ...viewing, opened: 3, unopened: 1 } })).toBe(
    "open for 48 s, left 1 value of 4 unseen, 1 signal shown",
  );
  expect(describeHow({ isSigned: false, viewing: null })).toBe("");
});

test.each([
  [0, "0 s"],
  [185_000, "3 min 5 s"],
  [7_800_000, "2 h 10 min"],
])("%d ms are %s", (openMs, text) => {
  expect(formatOpenTime(openMs)).toBe(text);
});
