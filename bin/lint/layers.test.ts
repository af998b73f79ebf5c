import { expect, test } from "vitest";
import { explainImport } from "./layers.ts";

test.each([
  ["another feature", "components/runs/run-page.tsx", "@/components/canvas/surface", /^components\/runs may not import components\/canvas/],
  ["a feature from a shared folder", "components/values/value-text.tsx", "@/components/runs/entries", /is shared/],
  ["the shell", "components/help/help-page.tsx", "@/components/shell/nav", /may not import components\/shell/],
])("rejects an import of %s", (_what, file, specifier, reason) => {
  expect(explainImport(`/repository/${file}`, specifier)).toMatch(reason);
});

test.each([
  ["its own folder", "components/runs/blame/writer.tsx", "@/components/runs/places"],
  ["a sibling", "components/runs/run-page.tsx", "./places"],
  ["a shared folder", "components/runs/run-page.tsx", "@/components/values/value-text"],
  ["a shared folder from a shared one", "components/values/value-text.tsx", "@/components/ui/button"],
  ["a feature from the shell", "components/shell/shell.tsx", "@/components/users/user-menu"],
  ["features from a page", "app/page.tsx", "@/components/home/home"],
  ["lib", "components/runs/run-page.tsx", "@/lib/json"],
])("accepts an import of %s", (_what, file, specifier) => {
  expect(explainImport(`/repository/${file}`, specifier)).toBeNull();
});
