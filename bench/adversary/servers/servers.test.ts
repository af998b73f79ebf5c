import { expect, test } from "vitest";
import { besiege } from "./fuzz-mcp-server";

test("a hostile MCP server's answers stay untrusted and bounded, and its changes are noticed", async () => {
  const { answers, violations } = await besiege(8, 1);
  expect(violations).toEqual([]);
  expect(answers).toBeGreaterThan(8);
}, 60_000);
