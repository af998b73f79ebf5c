import { expect, it } from "vitest";
import { explainStart } from "./explain-start";

const PLACES = [
  { id: "dev", title: "Development" },
  { id: "production", title: "Production" },
];
const version = (number: number, ...ids: string[]) => ({ number, environments: ids.map((id) => ({ id })) });

it.each([
  ["says nothing of the newest version in the last environment", [version(2, "dev", "production")], "production", null],
  [
    "says that no version is in the last one",
    [version(1, "dev")],
    "dev",
    "No version is in Production yet. Promote one to start it there.",
  ],
  [
    "says where the newest version is",
    [version(2, "dev"), version(1, "dev", "production")],
    "production",
    "Version 2 is in Development only. Promote it to start it here.",
  ],
  ["says nothing of a chosen earlier environment", [version(2, "dev"), version(1, "dev", "production")], "dev", null],
  ["says nothing without versions", [], "production", null],
])("%s", (_what, versions, chosen, text) => {
  expect(explainStart(PLACES, versions, chosen)).toBe(text);
});
