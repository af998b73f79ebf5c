import { expect, it } from "vitest";
import { asking, rule } from "@/lib/engine/testing/rules";
import { AUTHOR, STARTER } from "@/lib/engine/testing/run";
import { toOpenedRow } from "@/server/store/approvals/rows";

it.each([
  [{ count: 1 }, [STARTER, AUTHOR]],
  [{ count: 2 }, [STARTER]],
  [{ count: 2, not_publisher: true as const }, [STARTER, AUTHOR]],
])("bars a run's parties from its inbox row under a rule for %j", (needs, barred) => {
  const run = asking([rule(needs)]);
  const opened = run.records().at(-1);
  if (!opened) throw new Error("the run has no record");
  expect(toOpenedRow(run.published, opened.record, run.state())?.barred).toEqual(barred);
});
