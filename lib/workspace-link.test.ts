import { expect, test } from "vitest";
import { linkInto } from "./workspace-link";

test.each([
  ["/approvals/1", "/approvals/1?workspace=w"],
  ["/approvals/1#comments", "/approvals/1?workspace=w#comments"],
  ["/approvals/1?token=t", "/approvals/1?token=t&workspace=w"],
])("names the workspace of %s", (path, link) => {
  expect(linkInto("w", path)).toBe(link);
});
