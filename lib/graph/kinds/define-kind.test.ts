import { expect, it } from "vitest";
import { z } from "zod";
import { defineKind } from "./define-kind";
import { noAnswer, noChoice, none, nothing } from "./parts";

const WHOLE = {
  title: "Echo",
  about: "Copies a value",
  config: z.strictObject({ from: z.string() }),
  work: "proposal",
  agents: none,
  tasks: none,
  links: [],
  reads: () => ({ paths: [] }),
  answer: noAnswer,
  reports: none,
  rights: { reads: "grants", writes: "grants" },
  isolates: () => false,
  proposes: "updates",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: nothing,
} as const;

it("compiles only a complete kind", () => {
  const { powers: _powers, ...withoutPowers } = WHOLE;
  const { links: _links, ...withoutLinks } = WHOLE;
  const { rights: _rights, ...withoutRights } = WHOLE;
  expect(defineKind(WHOLE)).toBe(WHOLE);
  // @ts-expect-error -- what it may do is not stated
  expect(defineKind(withoutPowers)).toBe(withoutPowers);
  // @ts-expect-error -- its references are not stated
  expect(defineKind(withoutLinks)).toBe(withoutLinks);
  // @ts-expect-error -- its rights are not stated
  expect(defineKind(withoutRights)).toBe(withoutRights);
});

it("compiles only a work that the config allows", () => {
  const asking = { ...WHOLE, work: "question" } as const;
  // @ts-expect-error -- a question needs a prompt, deciders and time
  expect(defineKind(asking)).toBe(asking);
});
