import { expect, test } from "vitest";
import { completeName, listMentioned, suggestPeople } from "./mention-names";

const PEOPLE = [
  { id: "1", name: "Ada Reviewer" },
  { id: "2", name: "Jo O'Neil" },
  { id: "3", name: "Ada Second" },
];
const named = (text: string) => suggestPeople(text, text.length, PEOPLE).map(({ id }) => id);

test("people are suggested by the first letters of any of their names, after an @ alone", () => {
  expect(named("Ask @")).toEqual(["1", "2", "3"]);
  expect(named("Ask @ad")).toEqual(["1", "3"]);
  expect(named("@Ada s")).toEqual(["3"]);
  expect(named("@sec")).toEqual(["3"]);
  expect(named("mail ada@")).toEqual([]);
  expect(named("Ask Ada")).toEqual([]);
  expect(suggestPeople("@ad said", 3, PEOPLE).map(({ id }) => id)).toEqual(["1", "3"]);
});

test("a choice completes the name at the caret and keeps the rest", () => {
  expect(completeName("Ask @ad", 7, "Ada Second")).toBe("Ask @Ada Second ");
  expect(completeName("@jo please", 3, "Jo O'Neil")).toBe("@Jo O'Neil please");
});

test("only people whose names are still written are mentioned, once", () => {
  const [ada, jo] = PEOPLE;
  expect(
    listMentioned(
      "@Ada Reviewer and @Ada Reviewer",
      [ada, ada, jo].flatMap((one) => one ?? []),
    ),
  ).toEqual(["1"]);
});
