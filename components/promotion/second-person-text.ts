import type { SecondPerson } from "@/lib/architect/second-person";

const NEEDED = {
  wider: "It may do more than the live version, so a second person must approve it",
  architect: "An architect's graph that acts outside needs a second person",
  unattended: "It changes data without an approval, so a second person must approve it",
} as const;

export const explainSecondPerson = (why: NonNullable<SecondPerson["why"]>): string => NEEDED[why];
