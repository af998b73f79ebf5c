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
  expect(describeSimilar({ approved: 14, rejected: 1, decisions, people })).toBe("approved 14 times, last by Rita Voss; rejected once");
  expect(describeSimilar({ approved: 0, rejected: 0, decisions: [], people })).toBe("");
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
